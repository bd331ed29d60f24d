/* Keys in the order of their values, rows, and statements of keys and values as they are read. */
#include "engines/rocksdb/records.h"
#include "engines/rocksdb/words.h"
#include "minunit.h"

static const struct row ROW = { 86400000042, 999, 12345, 77, 499, 11, "aaaaaaaB+/x" };

static void numbers_are_in_the_order_of_their_bytes(void)
{
	static const int64_t NUMBERS[] = {
		INT64_MIN, INT32_MIN, -256, -1, 0, 1, 255, 256, INT32_MAX, INT64_MAX,
	};
	char before[8], now[8];
	int64_t read;

	for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++) {
		MU_CHECK(key_put_big(now, NUMBERS[i]) == now + 8);
		MU_CHECK(!i || memcmp(before, now, 8) < 0);
		MU_CHECK(key_get_big(now, &read) == now + 8 && read == NUMBERS[i]);
		memcpy(before, now, 8);
	}
	key_put_int(before, -1);
	key_put_int(now, 0);
	MU_CHECK(memcmp(before, now, 4) < 0);
	MU_CHECK(key_get_int(before, &read) == before + 4 && read == -1);
}

static void prices_are_in_order_and_come_back(void)
{
	char before[4], now[4];
	int64_t read;

	for (int price = 0; price < 500; price++) {
		key_put_real(now, (float)price);
		MU_CHECK(!price || memcmp(before, now, 4) < 0);
		key_get_real(now, &read);
		MU_CHECK(read == price);
		memcpy(before, now, 4);
	}
}

static void a_row_comes_back(void)
{
	char value[RECORD_MOST];
	struct row row;

	for (int real = 0; real < 2; real++) {
		size_t length = rx_record(&ROW, real, value);

		MU_CHECK(length == RECORD_HEAD + (size_t)ROW.length);
		MU_CHECK(rx_row(value, length, real, &row));
		MU_CHECK(row.when_us == ROW.when_us && row.customerid == 12345);
		MU_CHECK(row.cashregisterid == 999 && row.productid == 77);
		MU_CHECK(row.price == 499 && row.length == 11);
		MU_CHECK(!memcmp(row.data, ROW.data, row.length));
	}
	MU_CHECK(!rx_row(value, RECORD_HEAD - 1, false, &row));
	MU_CHECK(!rx_row(value, RECORD_MOST + 1, false, &row));
}

/* The columns of the definition, then the primary key; customerid where the layout says. */
static void an_entry_has_the_columns_of_its_index(void)
{
	for (unsigned set = 0; set < INDEX_SETS; set++)
		for (unsigned i = 0; i < SECONDARY_INDEXES; i++) {
			const struct index_def *def = &SCHEMA_INDEXES[set][i];
			struct layout layout = { .length = 0 };
			int64_t columns[KEY_COLUMNS], customerid, pk;
			char key[ENTRY_MOST];
			uint32_t index;

			rx_layout(def, &layout);
			MU_CHECK(layout.length ==
				 rx_entry(&layout, false, 7, &ROW, 1000, key));
			key_get_index(key, &index);
			key_get_int(key + layout.customerid, &customerid);
			key_get_big(key + layout.length - 8, &pk);
			MU_CHECK(index == 7 && customerid == 12345 && pk == 1000);
			rx_columns(&layout, false, key, columns);
			for (unsigned j = 0; j < def->ncolumns; j++)
				if (!strcmp(def->columns[j], "dateandtime"))
					MU_CHECK(columns[j] == ROW.when_us);
				else if (!strcmp(def->columns[j], "price"))
					MU_CHECK(columns[j] == 499);
		}
}

/* The key, then each value by its type; a record that is cut off is damaged. */
static void a_record_comes_back(void)
{
	static const struct value VALUES[] = {
		{ .number = -5 }, { .text = "it's", .length = 4 }, { .real = 2.5 },
	};
	char key[INDEX_BYTES + 8], record[64], *end = record;
	struct outcome outcome = { .wanted = 4 };
	const struct rx_receiver receiver = { .outcome = &outcome };
	struct connection conn = { .table = 0 };

	key_put_big(key_put_index(key, 3), 42);
	end = rx_value_put(end, VALUE_INT, &VALUES[0]);
	end = rx_value_put(end, VALUE_TEXT, &VALUES[1]);
	end = rx_value_put(end, VALUE_REAL, &VALUES[2]);
	MU_CHECK((size_t)(end - record) == rx_value_room(VALUE_INT, &VALUES[0]) +
		 rx_value_room(VALUE_TEXT, &VALUES[1]) +
		 rx_value_room(VALUE_REAL, &VALUES[2]));
	MU_CHECK(rx_receive(&conn, &receiver, VALUE_BIGINT, key, sizeof(key), record,
			    (size_t)(end - record)) == ENGINE_OK);
	MU_CHECK(outcome.rows == 1 && outcome.fields == 4);
	MU_CHECK(outcome.field[0].number == 42 && outcome.field[1].number == -5);
	MU_TEXT("it's", outcome.field[2].text);
	MU_CHECK(outcome.field[3].type == VALUE_REAL && outcome.field[3].real == 2.5);
	outcome.rows = 0;
	MU_CHECK(rx_receive(&conn, &receiver, VALUE_BIGINT, key, sizeof(key), record,
			    (size_t)(end - record) - 1) == ENGINE_FAILED);
	MU_TEXT("a record is not as it was written", conn.message);
}

static bool reads(struct words *words, const char *text)
{
	char why[256] = "";
	bool good = words_read(words, text, why, sizeof(why));

	MU_CHECK(good != (*why != '\0'));
	return good;
}

static void a_scan_has_a_limit_and_a_direction(void)
{
	struct words words;

	MU_CHECK(reads(&words, "SCAN kv ? LIMIT 10 REVERSE"));
	MU_CHECK(words.verb == VERB_SCAN && words.limited && words.reverse);
	MU_CHECK(words.narguments == 2 && words.nplaceholders == 1);
	MU_CHECK(words.arguments[1].value.number == 10);
	MU_TEXT("kv", words.table);
	words_free(&words);
	MU_CHECK(reads(&words, "scan kv -5;"));
	MU_CHECK(!words.limited && !words.reverse && words.arguments[0].value.number == -5);
	words_free(&words);
}

static void rows_of_an_insert_are_read(void)
{
	struct words words;

	MU_CHECK(reads(&words, "INSERT INTO t (k,v,w) VALUES (1,'it''s',2.5),(2,'',-3)"));
	MU_CHECK(words.verb == VERB_PUT && words.columns == 3 && words.narguments == 6);
	MU_CHECK(words.arguments[1].type == VALUE_TEXT &&
		 words.arguments[1].value.length == 4 &&
		 !memcmp(words.arguments[1].value.text, "it's", 4));
	MU_CHECK(words.arguments[2].type == VALUE_REAL &&
		 words.arguments[2].value.real == 2.5);
	MU_CHECK(words.arguments[4].value.length == 0);
	MU_CHECK(words.arguments[5].value.number == -3);
	words_free(&words);
}

static void what_the_driver_sends_of_itself_is_read(void)
{
	static const struct {
		const char *text;
		enum verb verb;
	} SENT[] = {
		{ "DROP TABLE IF EXISTS t", VERB_DROP },
		{ "CREATE TABLE t (k BIGINT PRIMARY KEY, v VARCHAR(400))", VERB_CREATE },
		{ "SELECT count(*) FROM t", VERB_COUNT },
		{ "ROLLBACK", VERB_ROLLBACK },
	};
	struct words words;

	for (size_t i = 0; i < sizeof(SENT) / sizeof(SENT[0]); i++) {
		MU_CHECK(reads(&words, SENT[i].text) && words.verb == SENT[i].verb);
		words_free(&words);
	}
}

static void what_is_none_is_refused(void)
{
	static const char *const TEXTS[] = {
		"", "GET", "GET t", "GET t 1 2", "GET t 1 LIMIT 2", "PUT t", "SCAN t 1 LIMIT",
		"UPDATE t SET v = 1", "SELECT v FROM t", "INSERT INTO t (k, v) VALUES (1)",
		"INSERT INTO t () VALUES ()", "PUT t 1 'it", "PUT t 1 -", "BEGIN", "COMMIT",
		"GETT t 1", "MULTIGET t 1, 'a", "DELETE t",
	};
	struct words words;

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		MU_CHECK(!reads(&words, TEXTS[i]));
		words_free(&words);
	}
}

static void a_full_disk_is_told_from_other_failures(void)
{
	MU_CHECK(rx_status("IO error: No space left on device: While appending to file: "
			   "/a/21.sst: No space left on device") == ENGINE_FULL);
	MU_CHECK(rx_status("IO error: While appending to file: /a/21.sst: File too large")
		 == ENGINE_FULL);
	MU_CHECK(rx_status("Corruption: block checksum mismatch") == ENGINE_FAILED);
}

int main(void)
{
	numbers_are_in_the_order_of_their_bytes();
	prices_are_in_order_and_come_back();
	a_row_comes_back();
	an_entry_has_the_columns_of_its_index();
	a_record_comes_back();
	a_scan_has_a_limit_and_a_direction();
	rows_of_an_insert_are_read();
	what_the_driver_sends_of_itself_is_read();
	what_is_none_is_refused();
	a_full_disk_is_told_from_other_failures();
	return mu_report("rocksdb");
}
