/* Values in the vectors of a result, by the type of their column. */
#include "engine.h"
#include "engines/outcome.h"

#include <math.h>

struct column dk_column(struct duck_result *result, uint64_t number)
{
	struct column column = { .type = duck.column_type(result, number) };
	duck_logical type;

	if (column.type != DUCK_DECIMAL)
		return column;
	type = duck.column_logical_type(result, number);
	column.type = duck.decimal_internal_type(type);
	column.decimals = duck.decimal_scale(type);
	column.decimal = true;
	duck.destroy_logical_type(&type);
	return column;
}

static enum value_type value_type_of(const struct column *column)
{
	if (column->type == DUCK_FLOAT || column->type == DUCK_DOUBLE || column->decimals)
		return VALUE_REAL;
	return column->type == DUCK_VARCHAR ? VALUE_TEXT : VALUE_BIGINT;
}

static int64_t number_at(enum duck_type type, const void *data, uint64_t row)
{
	switch (type) {
	case DUCK_BOOLEAN:
	case DUCK_UTINYINT:
		return ((const uint8_t *)data)[row];
	case DUCK_TINYINT:
		return ((const int8_t *)data)[row];
	case DUCK_SMALLINT:
		return ((const int16_t *)data)[row];
	case DUCK_USMALLINT:
		return ((const uint16_t *)data)[row];
	case DUCK_INTEGER:
		return ((const int32_t *)data)[row];
	case DUCK_UINTEGER:
		return ((const uint32_t *)data)[row];
	default:
		return ((const int64_t *)data)[row];
	}
}

/* A sum of whole numbers is one of 128 bits, and nearly always small. */
static void keep_huge(const struct duck_hugeint *huge, unsigned decimals,
		      struct field *field)
{
	int64_t lower = (int64_t)huge->lower;

	if (!decimals && huge->upper == (lower < 0 ? -1 : 0))
		field_number(field, lower);
	else
		field_real(field, (ldexp((double)huge->upper, 64) + (double)huge->lower) /
				  pow(10, decimals));
}

bool dk_cell(const struct column *column, duck_vector vector, uint64_t row,
	     struct field *field)
{
	const uint64_t *validity = duck.vector_get_validity(vector);
	const void *data = duck.vector_get_data(vector);
	const struct duck_string *text;

	if (validity && !(validity[row / 64] >> row % 64 & 1)) {
		field_null(field, value_type_of(column));
		return true;
	}
	switch (column->type) {
	case DUCK_FLOAT:
		field_real(field, ((const float *)data)[row]);
		return true;
	case DUCK_DOUBLE:
		field_real(field, ((const double *)data)[row]);
		return true;
	case DUCK_HUGEINT:
		keep_huge((const struct duck_hugeint *)data + row, column->decimals,
			  field);
		return true;
	case DUCK_VARCHAR:
		text = (const struct duck_string *)data + row;
		field_text(field, dk_text(text), text->length);
		return true;
	default:
		break;
	}
	if (column->type > DUCK_UBIGINT)
		return false;
	if (column->decimals)
		field_real(field, (double)number_at(column->type, data, row) /
				  pow(10, column->decimals));
	else
		field_number(field, number_at(column->type, data, row));
	return true;
}
