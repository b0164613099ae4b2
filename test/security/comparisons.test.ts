/** Only `lib/secrets/same-secret.ts` compares values of clients with a secret: it takes the same time for every value. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readSources, type Source, scan } from '../support/source-scan.ts'

/** Names of secrets in our code. */
const SECRET_NAME = /(?:key|keyOrHint|token|secret|signature|signed|digest|hash|hmac|password|fingerprint|lookup)$/i
const OPERAND = String.raw`[\w$.?]+(?:\([^()]*\))?`
const COMPARISON = new RegExp(String.raw`(${OPERAND}|\))\s*(?:===?|!==?)\s*("\d+"|${OPERAND})`, 'g')
/** Operands that are no secret: whether a secret exists, and its length, may be known, and so may a literal. */
const HARMLESS = /^(?:null|undefined|true|false|\d+|"\d+"|\w+(?:\.\w+)*\.length|[A-Z_]+LENGTH)$/

/** Comparisons that only the operator can cause, or of values that are not secret. */
const MEANT: readonly { readonly file: string; readonly found: string; readonly reason: string }[] = [
  {
    file: 'http/web/pages/settings/revoke.ts',
    found: 'lookup === params.key',
    reason: 'of a hash that its page shows',
  },
  {
    file: 'http/web/pages/settings/ping-key.ts',
    found: 'hint === params.key',
    reason: 'of who sees the whole key on the page before',
  },
  {
    file: 'services/projects/keys.ts',
    found: 'key.hint === keyOrHint',
    reason: 'of who sees the keys, and lists show the hint',
  },
  {
    file: 'services/server/secret.ts',
    found: ') !== fingerprint',
    reason: 'of two settings of the operator, at the start',
  },
  {
    file: 'domain/audit/subjects.ts',
    found: 'before.passwordHash !== passwordHash',
    reason: 'of two hashes of one account: whether a change sets another password',
  },
  {
    file: 'domain/audit/mail-server.ts',
    found: 'before.login.password !== login.password',
    reason: 'of two settings of an administrator: whether a change sets another password',
  },
  {
    file: 'store/people/accounts.ts',
    found: 'after.totp?.secret !== before.totp?.secret',
    reason: 'two that are stored',
  },
  {
    file: 'store/people/accounts.ts',
    found: 'after.totp?.secret !== before.totp?.secret',
    reason: 'of two settings of one account: whether a change sets another authenticator app',
  },
  {
    file: 'domain/audit/subjects.ts',
    found: 'before.totp.secret !== totp.secret',
    reason: 'the same two settings',
  },
  {
    file: 'http/web/pages/account/sessions.ts',
    found: 'lookup !== own',
    reason: 'of hashes of one person’s sessions: which of them is this browser',
  },
  { file: 'http/web/pages/account/sessions.ts', found: 'session.lookup === own', reason: 'the same hashes' },
  {
    file: 'services/projects/keys.ts',
    found: 'storedAs !== lookup',
    reason: 'two hashes of a key that was found: whether it came with another one',
  },
  { file: 'lib/secrets/password-hasher.ts', found: 'normal !== password', reason: 'two forms of one password' },
  {
    file: 'import/from-healthchecks/keys.ts',
    found: 'project.badgeKey === badgeKey',
    reason: 'of what the operator types with a part of a public address',
  },
  {
    file: 'services/common/imported-secrets.ts',
    found: 'imported.badgeKey === badgeKey',
    reason: 'of a part of a public address; the signature beside it is the secret',
  },
  {
    file: 'import/engine/new-project.ts',
    found: 'source.secret === site.secret',
    reason: 'of two secrets of the operator',
  },
  {
    file: 'import/from-project-file/source.ts',
    found: 'secret === deps.site.secret',
    reason: 'of two secrets of the operator',
  },
  {
    file: 'import/from-project-file/source.ts',
    found: 'signBadge(badge_key, tag, each) === signature',
    reason: 'of what the operator imports with the secret that they give',
  },
]

/** Lists each comparison with an operand that has the name of a secret, in short. */
function comparisons({ path, text }: Source): { file: string; found: string }[] {
  const { code } = scan({ path, text })
  return [...code.matchAll(COMPARISON)]
    .filter(([, left = '', right = '']) => !HARMLESS.test(left) && !HARMLESS.test(right))
    .filter(([, left = '', right = '']) => [left, right].some((side) => SECRET_NAME.test(side.replace(/\(.*$/, ''))))
    .map(([found]) => ({ file: path, found: found.replace(/\s+/g, ' ') }))
}

describe('src/', () => {
  const found = readSources(join(import.meta.dir, '../../src')).flatMap(comparisons)
  const isMeant = (one: { file: string; found: string }) =>
    MEANT.some(({ file, found }) => file === one.file && found === one.found)

  test('compares secrets with === only where the table allows it', () => {
    expect(found.filter((one) => !isMeant(one))).toEqual([])
  })

  test('has every comparison in the table', () => {
    expect(
      MEANT.filter(({ file, found: words }) => !found.some((one) => one.file === file && one.found === words)),
    ).toEqual([])
  })
})

describe('the scan', () => {
  const hits = (text: string) => comparisons({ path: 'a.ts', text }).map(({ found }) => found)

  test.each([
    ['if (token === right) return', 'token === right'],
    ['return given.apiKey !== wanted', 'given.apiKey !== wanted'],
    ['x = sign(body, secret) == signature', 'sign(body, secret) == signature'],
    ['headers.get(name) === metricsKey', 'headers.get(name) === metricsKey'],
    ["request.headers.get('x') === deps.metricsKey", 'request.headers.get("0") === deps.metricsKey'],
  ])('finds %j', (text, expected) => expect(hits(text)).toEqual([expected]))
})
