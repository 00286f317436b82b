// Package confirm issues and redeems the signed state of a confirmation that goes round through an
// untrusted client. A state is bound to one tool, one set of arguments and one client, expires, and
// can be redeemed once. The package knows no protocol and imports only the standard library.
package confirm

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// TTL is how long a state can be redeemed.
const TTL = 5 * time.Minute

// maxUsed bounds the nonces remembered as spent; each is forgotten once its state has expired.
const maxUsed = 10_000

const (
	nonceLen   = 16
	payloadLen = nonceLen + 8 // nonce, expiry in Unix seconds
)

// What can be wrong with a state. Each text tells the caller what to do.
var (
	ErrForeign = errors.New("this confirmation was not given for this call: call the tool again without requestState to be asked anew")
	ErrExpired = errors.New("this confirmation has expired: call the tool again without requestState to be asked anew")
	ErrUsed    = errors.New("this confirmation was already used: call the tool again without requestState to be asked anew")
	ErrBusy    = errors.New("too many confirmations in the last minutes: try again later")
)

// Binding is what a state is good for. Arguments are the decoded arguments re-encoded
// deterministically, so that two spellings of the same arguments are the same.
type Binding struct {
	Tool, Client string
	Arguments    []byte
}

// Keeper signs states with a key of its own, made when the Keeper is made: no state survives the
// process. It is safe for concurrent use.
type Keeper struct {
	key  [32]byte
	rand io.Reader
	now  func() time.Time

	mu   sync.Mutex
	used map[[nonceLen]byte]time.Time // nonce → expiry
}

// New returns a Keeper. A nil random is crypto/rand; a nil now is time.Now.
func New(random io.Reader, now func() time.Time) (*Keeper, error) {
	if random == nil {
		random = rand.Reader
	}
	if now == nil {
		now = time.Now
	}
	k := &Keeper{rand: random, now: now, used: map[[nonceLen]byte]time.Time{}}
	if _, err := io.ReadFull(random, k.key[:]); err != nil {
		return nil, fmt.Errorf("make confirmation key: %w", err)
	}
	return k, nil
}

// Issue returns a state for b: base64url(nonce ‖ expiry ‖ HMAC-SHA256 over these and b).
func (k *Keeper) Issue(b Binding) (string, error) {
	payload := make([]byte, payloadLen, payloadLen+sha256.Size)
	if _, err := io.ReadFull(k.rand, payload[:nonceLen]); err != nil {
		return "", fmt.Errorf("make confirmation nonce: %w", err)
	}
	binary.BigEndian.PutUint64(payload[nonceLen:], uint64(k.now().Add(TTL).Unix()))
	return base64.RawURLEncoding.EncodeToString(k.sign(payload, b)), nil
}

// Check reports whether state could be redeemed for b now, without redeeming it.
func (k *Keeper) Check(state string, b Binding) error {
	nonce, _, err := k.open(state, b)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, spent := k.used[nonce]; spent {
		return ErrUsed
	}
	return nil
}

// Redeem spends state: it succeeds at most once for each state, also when called concurrently.
func (k *Keeper) Redeem(state string, b Binding) error {
	nonce, expiry, err := k.open(state, b)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, spent := k.used[nonce]; spent {
		return ErrUsed
	}
	now := k.now()
	for n, e := range k.used {
		if e.Before(now) {
			delete(k.used, n)
		}
	}
	if len(k.used) >= maxUsed {
		return ErrBusy
	}
	k.used[nonce] = expiry
	return nil
}

// open authenticates state against b and checks its expiry.
func (k *Keeper) open(state string, b Binding) (nonce [nonceLen]byte, expiry time.Time, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(state)
	if err != nil || len(raw) != payloadLen+sha256.Size {
		return nonce, expiry, ErrForeign
	}
	want := k.sign(raw[:payloadLen:payloadLen], b)
	if !hmac.Equal(raw, want) {
		return nonce, expiry, ErrForeign
	}
	copy(nonce[:], raw)
	expiry = time.Unix(int64(binary.BigEndian.Uint64(raw[nonceLen:])), 0)
	if k.now().After(expiry) {
		return nonce, expiry, ErrExpired
	}
	return nonce, expiry, nil
}

// sign appends the code of payload and b to payload. Each part is preceded by its length, so that
// no two bindings sign the same bytes.
func (k *Keeper) sign(payload []byte, b Binding) []byte {
	mac := hmac.New(sha256.New, k.key[:])
	for _, part := range [][]byte{payload, []byte(b.Tool), []byte(b.Client), b.Arguments} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		mac.Write(n[:])
		mac.Write(part)
	}
	return mac.Sum(payload)
}
