package codegen

import "testing"

func TestSnake(t *testing.T) {
	t.Parallel()
	for identifier, want := range map[string]string{
		"Store": "store", "store": "store", "ExportCSV": "export_csv", "HTTPServer": "http_server",
		"ServeHTTP": "serve_http", "ID": "id", "ListIDs": "list_ids", "IDsOf": "ids_of", "URLsByID": "urls_by_id",
		"Top10Customers": "top10_customers", "S3Upload": "s3_upload", "Base64Encode": "base64_encode", "GetV2": "get_v2",
		"HTTP2Server": "http2_server", "OAuth2Token": "oauth2_token", "OAuthURL": "oauth_url", "ParseIPv4": "parse_ipv4",
		"GraphQLQuery": "graphql_query", "OAuthority": "o_authority", "Export_CSV": "export_csv", "_x": "x", "As": "as",
		"ABTest": "ab_test", "A": "a", "PDFs": "pdfs", "XMLHTTPRequest": "xmlhttp_request", "a_1": "a_1", "_": "",
	} {
		if got := snake(identifier); got != want {
			t.Errorf("snake(%q) = %q, want %q", identifier, got, want)
		}
	}
}

func TestFieldNameIsExported(t *testing.T) {
	t.Parallel()
	for parameter, want := range map[string]string{
		"input": "Input", "customerID": "CustomerID", "größe": "Größe", "über": "Über", "_x": "Arg__x", "名": "Arg_名",
	} {
		if got := fieldName(parameter); got != want {
			t.Errorf("fieldName(%q) = %q, want %q", parameter, got, want)
		}
	}
}
