package mcpschema

import "testing"

func TestURITemplates(t *testing.T) {
	t.Parallel()
	for text, valid := range map[string]bool{
		"app://index{?page,search}": true, "app://show/{id}": true, "test://template/{id}/data": true, "file:///{+path}": true,
		"a{x:3}{y*}": true, "no/variables": true, "": true,
		"app://show/{id": false, "app://show/id}": false, "a{}": false, "a{{x}}": false, "a{x y}": false, "a b": false, "a%zz": false, "a{?x,}": false,
	} {
		if err := uriTemplate(text); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
}
