/* Lines of one shape, read byte by byte into columns.
 *
 * A shape is a list of parts: fixed text, gaps, numbers, words, and a list of numbers. A
 * line of the shape gives a row; of any other line nothing is kept: whoever calls reads
 * it another way. What a number may be is kept so narrow that its conversion is exact.
 * compiled.py builds and loads this, line_shapes.py calls it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_DIGITS = 18 };	/* of a whole number: each fits 63 bits */
enum { EXACT_DIGITS = 15 };	/* of a decimal: it and its power of ten are exact */

/* In the order of the kinds in line_shapes.py. */
enum kind {
	LITERAL, GAP, PADDING, INTEGER, SIGNED, DECIMAL, WORD, TEXT, PICTURE, LIST
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

/* Past the digits at `at`, which are added to `value`: too many of them wrap around. */
static const uint8_t *digits(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	uint64_t sum = *value;

	for (; at < end && (uint8_t)(*at - '0') <= 9; at++)
		sum = sum * 10 + (uint8_t)(*at - '0');
	*value = sum;
	return at;
}

static const uint8_t *whole(const uint8_t *at, const uint8_t *end, bool sign,
			    int64_t *to)
{
	bool negative = sign && at < end && *at == '-';
	const uint8_t *start = at + negative;
	uint64_t value = 0;

	at = digits(start, end, &value);
	if (at == start || at - start > MOST_DIGITS)
		return NULL;
	*to = negative ? -(int64_t)value : (int64_t)value;
	return at;
}

/* `places` after the point; -1 for any number of them, or no point. */
static const uint8_t *decimal(const uint8_t *at, const uint8_t *end, int64_t places,
			      double *to)
{
	const uint8_t *start = at;
	uint64_t value = 0;
	ptrdiff_t before, after = 0;

	at = digits(at, end, &value);
	before = at - start;
	if (at < end && *at == '.') {
		start = at + 1;
		at = digits(start, end, &value);
		after = at - start;
		if (!after)
			return NULL;
	}
	if (!before || before + after > EXACT_DIGITS || (places >= 0 && after != places))
		return NULL;
	*to = (double)value / POWERS[after];
	return at;
}

/* One or more whole numbers with commas between them. */
static const uint8_t *list(const uint8_t *at, const uint8_t *end, struct column *column,
			   size_t row)
{
	int32_t count = column->ends[row];

	while ((at = whole(at, end, false, &column->values.integers[count]))) {
		count++;
		if (at == end || *at != ',')
			break;
		at++;
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
			      const uint8_t *wanted, const uint8_t *wanted_end)
{
	if (end - at < wanted_end - wanted)
		return NULL;
	while (wanted < wanted_end)
		if (*at++ != *wanted++)
			return NULL;
	return at;
}

static const uint8_t *gap(const uint8_t *at, const uint8_t *end, int64_t least)
{
	const uint8_t *start = at;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at - start < least ? NULL : at;
}

static const uint8_t *padding(const uint8_t *at, const uint8_t *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

static bool read_line(const uint8_t *at, const uint8_t *end, const struct part *part,
		      const struct part *last, const uint8_t *literals,
		      struct column *columns, size_t row)
{
	for (; at && part < last; part++) {
		struct column *column = &columns[part->column];

		switch ((enum kind)part->kind) {
		case LITERAL:
			at = literal(at, end, literals + part->first,
				     literals + part->second);
			break;
		case GAP:
			at = gap(at, end, part->first);
			break;
		case PADDING:
			at = padding(at, end);
			break;
		case INTEGER:
		case SIGNED:
			at = whole(at, end, part->kind == SIGNED,
				   &column->values.integers[row]);
			break;
		case DECIMAL:
			at = decimal(at, end, part->first,
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
			at = list(at, end, column, row);
			break;
		}
	}
	return at == end;
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
	size_t row = 0;

	for (size_t i = 0; i < lines; i++) {
		if (!asked[i])
			continue;
		matched[i] = read_line(data + ends[i], data + ends[i + 1], parts,
				       parts + part_count, literals, columns, row);
		row += matched[i];
	}
	return row;
}
