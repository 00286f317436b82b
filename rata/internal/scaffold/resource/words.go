package resource

import "strings"

// Words that cannot be names, or not everywhere. Each list is separated by spaces and line ends.
const (
	goKeywords = `break case chan const continue default defer else fallthrough for func go goto if import interface map
		package range return select struct switch type var`
	goFolders  = `documentation internal main testdata vendor`
	appFolders = `agents bin build decimal elyra migrations resources testapp ui`
	goImports  = `elyra slices sql`
	jsWords    = `arguments async await break case catch class const continue debugger default delete do else enum eval export
		extends false finally for function if implements import in instanceof interface let new null package private protected
		public return static super switch this throw true try typeof undefined var void while with yield`
	windowsDevices = `aux com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 nul prn`
	databaseTables = `goose_db_version sqlite_master sqlite_schema sqlite_sequence`

	// takenFields are columns that every table has here, or that the databases have hidden in it.
	takenFields  = `id created_at updated_at`
	hiddenFields = `rowid oid _rowid_ ctid xmin xmax cmin cmax tableoid`

	// sqlWords are reserved in SQLite or in PostgreSQL: as a name they stand in quotes.
	sqlWords = `abort action add after all alter always analyse analyze and any array as asc asymmetric attach authorization
		autoincrement before begin between binary both by cascade case cast check collate collation column commit concurrently
		conflict constraint create cross current current_catalog current_date current_role current_schema current_time
		current_timestamp current_user database default deferrable deferred delete desc detach distinct do drop each else end
		escape except exclude exclusive exists explain fail false fetch filter first following for foreign freeze from full
		generated glob grant group groups having if ignore ilike immediate in index indexed initially inner insert instead
		intersect into is isnull join key last lateral leading left like limit localtime localtimestamp match materialized
		natural new no not nothing notnull null nulls of off offset old on only or order others outer over overlaps partition
		placing plan pragma preceding primary query raise range recursive references regexp reindex release rename replace
		restrict returning right rollback row rows savepoint select session_user similar some symmetric system_user table
		tablesample temp temporary then ties to trailing transaction trigger true unbounded union unique update user using
		vacuum values variadic verbose view virtual when where window with within without`

	// initialisms are words that Go writes in capitals.
	initialisms = `acl api ascii css csv dns eof eur gps guid html http https iban id ip isbn json pdf ram rpc sku sla smtp sql
		ssh tcp tls ttl udp ui uid uri url usd utf8 uuid vat vin vm xml`
)

// isOneOf reports whether a list has a word.
func isOneOf(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// IsDevice reports whether a name is that of a device on Windows, where nothing else can be called so.
func IsDevice(name string) bool { return isOneOf(windowsDevices, name) }

// quoted is a name as SQL takes it.
func quoted(name string) string {
	if isOneOf(sqlWords, name) {
		return `"` + name + `"`
	}
	return name
}
