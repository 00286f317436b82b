// oidc-provider as an authorization server, and beside it a small MCP server with protected-resource metadata, both on the
// loopback interface. Prints the MCP server's URL, and stops when its input ends.
//
// Usage: node server.mjs NODE_MODULES DOCUMENT
// DOCUMENT is the file of the client metadata document that is served at its client_id.
//
// GET /control?life=SECONDS&deny=1 sets how long access tokens live and whether the user says no; it answers with what
// was counted. The log on standard error has no secrets: values of codes, tokens and the like are blanked.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [modules, documentFile] = process.argv.slice(2)
const { default: Provider } = await import(join(modules, 'oidc-provider/lib/index.js'))
const document = JSON.parse(readFileSync(documentFile, 'utf8'))

// oidc-provider's notices belong to the log.
console.info = console.warn = console.error

const settings = { life: 3600, deny: false }
const counted = { codes: 0, refreshes: 0, failedGrants: 0, registrations: 0, browsers: 0, revocations: 0 }

const blank = (text) => text.replace(/\b(code|state|code_challenge|code_verifier|refresh_token|access_token|token|client_secret)=[^&\s]*/g, '$1=…')
const log = (...words) => console.error(blank(words.join(' ')))

// listen starts a server on a port of the system's choice.
const listen = (handler) => new Promise((resolve) => {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1', () => resolve({ server, url: `http://127.0.0.1:${server.address().port}` }))
})

let answerAuth = (_, res) => res.writeHead(503).end()
let answerMCP = answerAuth
const auth = await listen((req, res) => answerAuth(req, res))
const mcp = await listen((req, res) => answerMCP(req, res))
const resource = mcp.url + '/mcp'

const provider = new Provider(auth.url, {
  scopes: ['openid', 'offline_access'],
  cookies: { keys: ['only a test'] },
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (ctx, indicator) => {
        if (indicator !== resource) throw new Error('unknown resource')
        return { scope: 'notes:read notes:write', audience: resource, accessTokenTTL: settings.life, accessTokenFormat: 'opaque' }
      },
      useGrantedResource: () => true,
    },
  },
  ttl: { AccessToken: () => settings.life, Session: 60, Grant: 3600, Interaction: 60, RefreshToken: 3600, IdToken: 60, AuthorizationCode: 60 },
  fetch: async (url, options) => {
    if (String(url) !== document.client_id) throw new Error(`nothing is fetched from ${url}`)
    return new Response(JSON.stringify(document), { headers: { 'content-type': 'application/json' } })
  },
  findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
  renderError: (ctx, out) => { log('error page:', JSON.stringify(out)); ctx.type = 'text'; ctx.body = 'the request cannot be answered' },
})
provider.on('grant.success', (ctx) => {
  if (ctx.oidc.params.grant_type === 'refresh_token') counted.refreshes++
  else counted.codes++
})
provider.on('grant.error', (ctx, err) => { counted.failedGrants++; log('grant refused:', err.error) })
provider.on('registration_create.success', () => counted.registrations++)
provider.on('server_error', (ctx, err) => log('server error:', err.stack))
provider.on('authorization.error', (ctx, err) => log('authorization refused:', err.error, err.error_description))

// decide is the user: it logs in and grants whatever is asked, or says no.
async function decide(req, res) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res)
  if (settings.deny) {
    return provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'the user said no' })
  }
  if (prompt.name === 'login') {
    counted.browsers++
    return provider.interactionFinished(req, res, { login: { accountId: 'ada' } })
  }
  const grant = grantId ? await provider.Grant.find(grantId) : new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  if (prompt.details.missingOIDCScope) grant.addOIDCScope(prompt.details.missingOIDCScope.join(' '))
  for (const [indicator, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {})) grant.addResourceScope(indicator, scopes.join(' '))
  return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } })
}

answerAuth = (req, res) => {
  log('auth', req.method, req.url)
  if (req.url.startsWith('/interaction/')) {
    decide(req, res).catch((err) => { log('interaction:', err.stack); res.writeHead(500).end() })
    return
  }
  if (req.method === 'POST' && req.url === '/token/revocation') counted.revocations++
  provider.callback()(req, res)
}

const json = (res, status, value, headers = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
const metadata = mcp.url + '/.well-known/oauth-protected-resource/mcp'

// answerMCP knows two tools: read needs the scope notes:read, write needs notes:write.
answerMCP = async (req, res) => {
  const url = new URL(req.url, mcp.url)
  log('mcp', req.method, req.url, req.headers.authorization ? 'with a token' : 'bare')
  if (url.pathname === '/control') {
    if (url.searchParams.has('life')) settings.life = Number(url.searchParams.get('life'))
    if (url.searchParams.has('deny')) settings.deny = url.searchParams.get('deny') === '1'
    return json(res, 200, counted)
  }
  if (url.pathname === '/.well-known/oauth-protected-resource/mcp') {
    return json(res, 200, { resource, authorization_servers: [auth.url], scopes_supported: ['notes:read', 'notes:write'] })
  }
  if (url.pathname !== '/mcp' || req.method !== 'POST') return json(res, 404, {})
  const token = await provider.AccessToken.find((req.headers.authorization ?? '').replace(/^Bearer /, ''))
  if (!token || token.isExpired || token.aud !== resource) {
    return json(res, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="notes:read"` })
  }
  let body = ''
  for await (const part of req) body += part
  const { id, method, params } = JSON.parse(body)
  const needed = params?.name === 'write' ? 'notes:write' : 'notes:read'
  if (!token.scopes.has(needed)) {
    return json(res, 403, {}, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadata}"` })
  }
  const result = method === 'server/discover'
    ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' }
    : { content: [{ type: 'text', text: `${params.name} for ${token.accountId}` }] }
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'notes', version: '1' } }
  json(res, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta, ...result } })
}

console.log(resource)
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
