package mcp

// Methods and notifications about resources.
const (
	MethodListResources    = "resources/list"
	MethodListTemplates    = "resources/templates/list"
	MethodReadResource     = "resources/read"
	MethodSubscribe        = "resources/subscribe"   // legacy; in the modern era see [MethodListen]
	MethodUnsubscribe      = "resources/unsubscribe" // legacy
	NotifyResourcesChanged = "notifications/resources/list_changed"
	NotifyResourceUpdated  = "notifications/resources/updated"
)

// Resource describes something that can be read under a URI.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"` // since 2025-06-18
	Description string `json:"description,omitzero"`
	MIMEType    string `json:"mimeType,omitzero"`
}

// ResourceTemplate describes resources whose URIs follow from variables, as RFC 6570 says.
type ResourceTemplate struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"` // since 2025-06-18
	Description string `json:"description,omitzero"`
	MIMEType    string `json:"mimeType,omitzero"` // of all of them
}

// ListResourcesResult is one page of resources.
type ListResourcesResult struct {
	Resources  []Resource `json:"resources"`
	NextCursor *string    `json:"nextCursor,omitzero"`
}

// ListTemplatesResult is one page of templates.
type ListTemplatesResult struct {
	Templates  []ResourceTemplate `json:"resourceTemplates"`
	NextCursor *string            `json:"nextCursor,omitzero"`
}

// ReadResourceResult is what a resource contains: at least one part.
type ReadResourceResult struct {
	Contents []ResourceContents `json:"contents"`
}

// ResourceUpdated is the parameters of [NotifyResourceUpdated].
type ResourceUpdated struct {
	URI string `json:"uri"`
}
