// Package confirm issues and redeems the signed state of a confirmation that goes round through an
// untrusted client. A state is bound to one tool, one set of arguments and one client, remembers
// which question was asked, expires, and can be redeemed once. The package knows no protocol and
// imports only the standard library.
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
	nonceLen    = 16
	questionLen = 16
	payloadLen  = nonceLen + questionLen + 8 // nonce, hash of the question, expiry in ns of the Keeper's life
)

// What can be wrong with a state. Each text tells the caller what to do.
var (
	ErrForeign = errors.New("this confirmation was not given for this call: call the tool again without requestState to be asked anew")
	ErrExpired = errors.New("this confirmation has expired: call the tool again without requestState to be asked anew")
	ErrUsed    = errors.New("this confirmation was already used: call the tool again without requestState to be asked anew")
	// ErrChanged says that the user agreed to another question than the one that would be asked now.
	ErrChanged = errors.New("what this call would do has changed since the user was asked")
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
	key   [32]byte
	rand  io.Reader
	now   func() time.Time
	start time.Time

	mu     sync.Mutex
	latest time.Duration                    // the Keeper's age, which never goes back
	used   map[[nonceLen]byte]time.Duration // nonce → age at which its state expires
	prune  int                              // how many used nonces there may be before expired ones are forgotten
}

// New returns a Keeper. A nil random is crypto/rand; a nil now is time.Now.
func New(random io.Reader, now func() time.Time) (*Keeper, error) {
	if random == nil {
		random = rand.Reader
	}
	if now == nil {
		now = time.Now
	}
	k := &Keeper{rand: random, now: now, start: now(), used: map[[nonceLen]byte]time.Duration{}}
	if _, err := io.ReadFull(random, k.key[:]); err != nil {
		return nil, fmt.Errorf("make confirmation key: %w", err)
	}
	return k, nil
}

// Issue returns a state for b and the question that the user is asked:
// base64url(nonce ‖ hash of the question ‖ expiry ‖ HMAC-SHA256 over these and b).
func (k *Keeper) Issue(b Binding, question string) (string, error) {
	payload := make([]byte, nonceLen, payloadLen+sha256.Size)
	if _, err := io.ReadFull(k.rand, payload); err != nil {
		return "", fmt.Errorf("make confirmation nonce: %w", err)
	}
	asked := hash(question)
	payload = append(payload, asked[:]...)
	payload = binary.BigEndian.AppendUint64(payload, uint64(k.age()+TTL))
	return base64.RawURLEncoding.EncodeToString(k.sign(payload, b)), nil
}

// Check reports whether state could be redeemed for b now, without redeeming it.
func (k *Keeper) Check(state string, b Binding) error {
	o, err := k.open(state, b)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, spent := k.used[o.nonce]; spent {
		return ErrUsed
	}
	return nil
}

// Redeem spends state: it succeeds at most once for each state, also when called concurrently. The
// question is the one that would be asked now; when it is not the one that was asked, the state is
// spent and the error is ErrChanged.
func (k *Keeper) Redeem(state string, b Binding, question string) error {
	o, err := k.open(state, b)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, spent := k.used[o.nonce]; spent {
		return ErrUsed
	}
	if len(k.used) >= k.prune {
		k.forgetExpired()
	}
	if len(k.used) >= maxUsed {
		return ErrBusy
	}
	k.used[o.nonce] = o.expiry
	if o.asked != hash(question) {
		return ErrChanged
	}
	return nil
}

// forgetExpired forgets, under k.mu, the nonces whose states have expired anyway. It is called each
// time their number has doubled, so that redeeming costs the same however many there are.
func (k *Keeper) forgetExpired() {
	for n, expiry := range k.used {
		if expiry < k.latest {
			delete(k.used, n)
		}
	}
	k.prune = min(max(2*len(k.used), 64), maxUsed)
}

// opened is what an authentic state says.
type opened struct {
	nonce  [nonceLen]byte
	asked  [questionLen]byte
	expiry time.Duration
}

// open authenticates state against b and checks its expiry.
func (k *Keeper) open(state string, b Binding) (o opened, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(state)
	if err != nil || len(raw) != payloadLen+sha256.Size {
		return o, ErrForeign
	}
	want := k.sign(raw[:payloadLen:payloadLen], b)
	if !hmac.Equal(raw, want) {
		return o, ErrForeign
	}
	copy(o.nonce[:], raw)
	copy(o.asked[:], raw[nonceLen:])
	o.expiry = time.Duration(binary.BigEndian.Uint64(raw[nonceLen+questionLen:]))
	if k.age() > o.expiry {
		return o, ErrExpired
	}
	return o, nil
}

// age is how long the Keeper has existed. It never goes back, whatever the clock does: no state
// lives longer because somebody sets the clock.
func (k *Keeper) age() time.Duration {
	now := k.now().Sub(k.start)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.latest = max(k.latest, now)
	return k.latest
}

func hash(question string) (h [questionLen]byte) {
	sum := sha256.Sum256([]byte(question))
	copy(h[:], sum[:])
	return h
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
