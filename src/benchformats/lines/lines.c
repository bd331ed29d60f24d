/* The lines of a text: where they end, which are alike, and those of one shape as columns.
 *
 * A shape is a list of parts: fixed text, gaps, numbers, words, and lists of numbers. A
 * line of the shape gives a row; of any other line nothing is kept: whoever calls reads
 * it another way. What a number may be is kept so narrow that its conversion is exact.
 * compiled.py builds and loads this, lines.py and line_shapes.py call it.
 *
 * Numbers and gaps are read eight bytes at a time: their length then costs no branch that
 * the processor cannot foresee.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST_DIGITS = 18 };	/* of a whole number: each fits 63 bits */
enum { EXACT_DIGITS = 15 };	/* of a decimal: it and its power of ten are exact */

/* In the order of the kinds in line_shapes.py. */
enum kind {
	LITERAL, GAP, PADDING, INTEGER, SIGNED, DECIMAL, WORD, TEXT, PICTURE, LIST, PAIRS
};

/* A literal or a picture lies from `first` to `second`; a gap has `first` blanks or more,
 * a decimal `first` places, any or none if that is negative.
 */
struct part {
	int64_t kind, column, first, second;
};

/* Row n of a column of words or lists is from ends[n] to ends[n + 1] of its values. */
struct column {
	union {
		int64_t *integers;
		double *decimals;
		uint8_t *bytes;
	} values;
	int32_t *ends;
};

static const double POWERS[EXACT_DIGITS + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
};

/* A line, and how far bytes may be looked at: what stands in a line ends with it, if only
 * because "\n" is neither a digit nor a blank.
 */
struct line {
	const uint8_t *end, *readable;
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

enum { WORD_BYTES = 8 };

static const uint64_t TENS[WORD_BYTES + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
};

static uint64_t repeated(uint8_t byte)
{
	return byte * (uint64_t)0x0101010101010101;
}

static uint64_t word_at(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* How many bytes of a word come before the first marked one: 8 if none is. */
static int before_mark(uint64_t marks)
{
	return marks ? __builtin_ctzll(marks) / 8 : WORD_BYTES;
}

/* The number that the first `count` bytes of a word are, each of which is a digit less
 * '0': pairs, then fours, then all eight are added up at once.
 */
static uint64_t number_of(uint64_t word, int count)
{
	const uint64_t low = 0x000000ff000000ff;

	word <<= 8 * (WORD_BYTES - count);
	word = word * 10 + (word >> 8);
	return ((word & low) * (100 + ((uint64_t)1000000 << 32)) +
		(word >> 16 & low) * (1 + ((uint64_t)10000 << 32))) >> 32;
}

/* Past the whole words of digits at `at`, and the digits of a word after them. */
static const uint8_t *word_digits(const uint8_t *at, const struct line *line,
				  uint64_t *value)
{
	while (line->readable - at >= WORD_BYTES) {
		uint64_t word = word_at(at) ^ repeated('0');
		uint64_t odd = (word + repeated(127 - 9)) | word;
		int count = before_mark(odd & repeated(128));

		if (count)
			*value = *value * TENS[count] + number_of(word, count);
		at += count;
		if (count < WORD_BYTES)
			break;
	}
	return at;
}

/* Past the blanks at `at`, as far as whole words can be looked at. */
static const uint8_t *word_blanks(const uint8_t *at, const struct line *line)
{
	while (line->readable - at >= WORD_BYTES) {
		int count = before_mark(word_at(at) ^ repeated(' '));

		at += count;
		if (count < WORD_BYTES)
			break;
	}
	return at;
}

#else

static const uint8_t *word_digits(const uint8_t *at, const struct line *line,
				  uint64_t *value)
{
	(void)line, (void)value;
	return at;
}

static const uint8_t *word_blanks(const uint8_t *at, const struct line *line)
{
	(void)line;
	return at;
}

#endif

/* Past the digits at `at`, which are added to `value`: too many of them wrap around. */
static const uint8_t *digits(const uint8_t *at, const struct line *line,
			     uint64_t *value)
{
	at = word_digits(at, line, value);
	for (; at < line->end && (uint8_t)(*at - '0') <= 9; at++)
		*value = *value * 10 + (uint8_t)(*at - '0');
	return at;
}

/* The same of exactly `count` digits: where they end need not be found out. */
static const uint8_t *counted_digits(const uint8_t *at, const struct line *line,
				     int64_t count, uint64_t *value)
{
	if (line->end - at < count)
		return NULL;
	for (; count; at++, count--) {
		if ((uint8_t)(*at - '0') > 9)
			return NULL;
		*value = *value * 10 + (uint8_t)(*at - '0');
	}
	return at < line->end && (uint8_t)(*at - '0') <= 9 ? NULL : at;
}

static const uint8_t *whole(const uint8_t *at, const struct line *line, bool sign,
			    int64_t *to)
{
	bool negative = sign && at < line->end && *at == '-';
	const uint8_t *start = at + negative;
	uint64_t value = 0;

	at = digits(start, line, &value);
	if (at == start || at - start > MOST_DIGITS)
		return NULL;
	*to = negative ? -(int64_t)value : (int64_t)value;
	return at;
}

/* `places` after the point; -1 for any number of them, or no point. */
static const uint8_t *decimal(const uint8_t *at, const struct line *line,
			      int64_t places, double *to)
{
	const uint8_t *start = at;
	uint64_t value = 0;
	ptrdiff_t before, after = 0;

	at = digits(at, line, &value);
	before = at - start;
	if (at < line->end && *at == '.') {
		start = at + 1;
		at = places > 0 ? counted_digits(start, line, places, &value)
				: digits(start, line, &value);
		if (!at || at == start)
			return NULL;
		after = at - start;
	}
	if (!before || before + after > EXACT_DIGITS || (places >= 0 && after != places))
		return NULL;
	*to = (double)value / POWERS[after];
	return at;
}

/* One or more whole numbers with commas between them. */
static const uint8_t *list(const uint8_t *at, const struct line *line,
			   struct column *column, size_t row)
{
	int32_t count = column->ends[row];

	while ((at = whole(at, line, false, &column->values.integers[count]))) {
		count++;
		if (at == line->end || *at != ',')
			break;
		at++;
	}
	column->ends[row + 1] = count;
	return at;
}

/* Two whole numbers in brackets. */
static const uint8_t *pair(const uint8_t *at, const struct line *line, int64_t *to)
{
	at = whole(at + 1, line, false, &to[0]);
	if (!at || at == line->end || *at != ',')
		return NULL;
	at = whole(at + 1, line, false, &to[1]);
	return at && at < line->end && *at == ']' ? at + 1 : NULL;
}

/* Any number of pairs with commas between them; a row has the numbers of all. */
static const uint8_t *pairs(const uint8_t *at, const struct line *line,
			    struct column *column, size_t row)
{
	int32_t count = column->ends[row];
	bool more = at < line->end && *at == '[';

	while (more && (at = pair(at, line, &column->values.integers[count]))) {
		count += 2;
		more = line->end - at >= 2 && at[0] == ',' && at[1] == '[';
		at += more;
	}
	column->ends[row + 1] = count;
	return at;
}

/* Printable ASCII, up to a blank, or up to a quotation mark or backslash. */
static const uint8_t *text(const uint8_t *at, const uint8_t *end, bool word,
			   struct column *column, size_t row)
{
	const uint8_t *start = at;
	int32_t to = column->ends[row];

	for (; at < end && *at >= ' ' && *at < 127; at++) {
		if (word ? *at == ' ' : *at == '"' || *at == '\\')
			break;
		column->values.bytes[to++] = *at;
	}
	column->ends[row + 1] = to;
	return word && at == start ? NULL : at;
}

/* Text in which each 0 of the picture is any digit. */
static const uint8_t *picture(const uint8_t *at, const uint8_t *end,
			      const uint8_t *wanted, const uint8_t *wanted_end,
			      struct column *column, size_t row)
{
	int32_t to = column->ends[row];

	if (end - at < wanted_end - wanted)
		return NULL;
	for (; wanted < wanted_end; wanted++, at++) {
		if (*wanted == '0' ? (uint8_t)(*at - '0') > 9 : *at != *wanted)
			return NULL;
		column->values.bytes[to++] = *at;
	}
	column->ends[row + 1] = to;
	return at;
}

static const uint8_t *literal(const uint8_t *at, const uint8_t *end,
			      const uint8_t *wanted, ptrdiff_t length)
{
	if (end - at < length || memcmp(at, wanted, (size_t)length))
		return NULL;
	return at + length;
}

static const uint8_t *gap(const uint8_t *at, const struct line *line, int64_t least)
{
	const uint8_t *start = at;

	at = word_blanks(at, line);
	while (at < line->end && (*at == ' ' || *at == '\t'))
		at++;
	return at - start < least ? NULL : at;
}

static const uint8_t *padding(const uint8_t *at, const uint8_t *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

static bool read_line(const uint8_t *at, const struct line *line,
		      const struct part *part, const struct part *last,
		      const uint8_t *literals, struct column *columns, size_t row)
{
	const uint8_t *end = line->end;

	for (; at && part < last; part++) {
		struct column *column = &columns[part->column];

		switch ((enum kind)part->kind) {
		case LITERAL:
			at = literal(at, end, literals + part->first,
				     part->second - part->first);
			break;
		case GAP:
			at = gap(at, line, part->first);
			break;
		case PADDING:
			at = padding(at, end);
			break;
		case INTEGER:
		case SIGNED:
			at = whole(at, line, part->kind == SIGNED,
				   &column->values.integers[row]);
			break;
		case DECIMAL:
			at = decimal(at, line, part->first,
				     &column->values.decimals[row]);
			break;
		case WORD:
		case TEXT:
			at = text(at, end, part->kind == WORD, column, row);
			break;
		case PICTURE:
			at = picture(at, end, literals + part->first,
				     literals + part->second, column, row);
			break;
		case LIST:
			at = list(at, line, column, row);
			break;
		case PAIRS:
			at = pairs(at, line, column, row);
			break;
		}
	}
	return at == end;
}

/* How many lines end in "\n", and where the first `room` of them end. */
size_t benchbook_line_ends(const uint8_t *data, size_t size, int32_t *ends,
			   size_t room);

size_t benchbook_line_ends(const uint8_t *data, size_t size, int32_t *ends,
			   size_t room)
{
	const uint8_t *at = data, *end = data + size;
	size_t count = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		if (count < room)
			ends[count] = (int32_t)(at - data);
		count++;
	}
	return count;
}

/* How many different texts the lines have that are asked for: line firsts[n] is the
 * first of text n, codes[k] the text of the k-th line asked for. With more than `most`
 * of them the answer is `most` + 1, and the rest is not to be used. Headers stand in
 * turns, so a line is first compared with what followed the text before it.
 */
size_t benchbook_texts(const uint8_t *data, const int32_t *ends, const bool *asked,
		       size_t lines, size_t most, int64_t *firsts, int32_t *codes);

size_t benchbook_texts(const uint8_t *data, const int32_t *ends, const bool *asked,
		       size_t lines, size_t most, int64_t *firsts, int32_t *codes)
{
	size_t count = 0, code = 0, row = 0;

	for (size_t i = 0; i < lines; i++) {
		const uint8_t *text = data + ends[i];
		int32_t length = ends[i + 1] - ends[i];
		size_t tried = 0;

		if (!asked[i])
			continue;
		for (; tried < count; tried++) {
			int64_t first;

			code = code + 1 < count ? code + 1 : 0;
			first = firsts[code];
			if (ends[first + 1] - ends[first] == length &&
			    !memcmp(data + ends[first], text, (size_t)length))
				break;
		}
		if (tried == count) {
			if (count == most)
				return most + 1;
			code = count++;
			firsts[code] = (int64_t)i;
		}
		codes[row++] = (int32_t)code;
	}
	return count;
}

/* How many of the lines that are asked for have the shape; `matched` says which. Line i
 * is data[ends[i]] to data[ends[i + 1]]. Each column has room for a row per line asked
 * for, of words for as many bytes as the lines have, of lists for half as many items and
 * one.
 */
size_t benchbook_read_lines(const uint8_t *data, const int32_t *ends,
			    const bool *asked, size_t lines, const struct part *parts,
			    size_t part_count, const uint8_t *literals,
			    struct column *columns, bool *matched);

size_t benchbook_read_lines(const uint8_t *data, const int32_t *ends,
			    const bool *asked, size_t lines, const struct part *parts,
			    size_t part_count, const uint8_t *literals,
			    struct column *columns, bool *matched)
{
	const uint8_t *end = data + ends[lines];
	size_t row = 0;

	for (size_t i = 0; i < lines; i++) {
		const uint8_t *start = data + ends[i];
		struct line line = {data + ends[i + 1], data + ends[i + 1]};

		if (!asked[i])
			continue;
		if (start < line.end && line.end[-1] == '\n')
			line.readable = end;
		matched[i] = read_line(start, &line, parts, parts + part_count, literals,
				       columns, row);
		row += matched[i];
	}
	return row;
}
