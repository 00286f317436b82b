// Package adapter is what the adapters to vendors have in common: the exchange of a request for a stream, with its bounds
// and failures; the answer that is assembled from a stream, whatever it breaks off at; and what of a conversation may be
// sent to whom.
//
// It promises that a failure of any server, proxy or network becomes a *model.Error that holds no key, and that no call may
// run whose answer did not end regularly. It knows no vendor's messages and must not import an SDK.
package adapter
