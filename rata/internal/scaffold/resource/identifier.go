package resource

// Identifier cuts a name such as export-csv, export_csv or exportCSV into words, and joins them as Go writes the
// name of something exported: ExportCSV.
func Identifier(name string) (exported string, words []string, err error) {
	if words, err = splitWords(name); err != nil {
		return "", nil, err
	}
	return goName(words), words, nil
}
