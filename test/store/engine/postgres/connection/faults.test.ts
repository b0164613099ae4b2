import { expect, test } from 'bun:test'
import { Refusal } from '../../../../../src/domain/errors.ts'
import {
  asOpenError,
  asRefusal,
  faultReason,
  isConflict,
  isLost,
  UNAVAILABLE,
} from '../../../../../src/store/engine/postgres/connection/faults.ts'

/** Returns an error as the driver throws it: PostgreSQL's code in `errno`, its own in `code`. */
function serverError(errno: string, message: string): Error {
  return Object.assign(new Error(message), { errno, code: 'ERR_POSTGRES_SERVER_ERROR' })
}

function driverError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Errors, and the first words of the reason for each. */
const FAULTS: readonly (readonly [words: string, error: Error])[] = [
  ['PostgreSQL is starting, stopping or recovering', serverError('57P03', 'the database system is starting up')],
  ['PostgreSQL is shutting down', serverError('57P01', 'terminating connection due to administrator command')],
  ['PostgreSQL does not accept writes', serverError('25006', 'cannot execute UPDATE in a read-only transaction')],
  ['the disk of PostgreSQL is full', serverError('53100', 'could not extend file: No space left on device')],
  ['PostgreSQL has too many connections', serverError('53300', 'sorry, too many clients already')],
  ['another transaction keeps', serverError('55P03', 'canceling statement due to lock timeout')],
  ['the statement took too long', serverError('57014', 'canceling statement due to statement timeout')],
  [
    'PostgreSQL refuses this user or password',
    serverError('28P01', 'password authentication failed for user "overdue"'),
  ],
  ['PostgreSQL refuses this user or password', serverError('28000', 'no pg_hba.conf entry for host')],
  ['there is no database of that name', serverError('3D000', 'database "x" does not exist')],
  ['PgBouncer reports a fault', serverError('08P01', 'unsupported startup parameter: lock_timeout')],
  ['PgBouncer mixes up prepared statements', serverError('42P05', 'prepared statement "P0" already exists')],
  ['PgBouncer mixes up prepared statements', serverError('26000', 'prepared statement "P0" does not exist')],
  ['the connection to PostgreSQL was lost', serverError('08006', 'connection failure')],
  ['PostgreSQL reports an error of its disk', serverError('58030', 'could not read block')],
  ['PostgreSQL has found damaged data', serverError('XX001', 'invalid page in block 0')],
  ['nothing accepts connections there', driverError('ERR_POSTGRES_CONNECTION_REFUSED', 'Failed to connect')],
  ['the connection to PostgreSQL was lost', driverError('ERR_POSTGRES_CONNECTION_CLOSED', 'Connection closed')],
  [
    'the certificate of PostgreSQL is not accepted',
    driverError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self signed certificate'),
  ],
  [
    'the certificate of PostgreSQL is not accepted',
    driverError('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"),
  ],
  ['the certificate of PostgreSQL is not accepted', driverError('CERT_HAS_EXPIRED', 'certificate has expired')],
  ['PostgreSQL does not answer', driverError('ERR_POSTGRES_CONNECTION_TIMEOUT', 'Connection timeout')],
]

for (const [words, error] of FAULTS) {
  test(`"${error.message}" is told to the operator as "${words}", but not to clients`, () => {
    expect(faultReason(error)).toStartWith(words)
    const refusal = asRefusal(error)
    if (!(refusal instanceof Refusal)) throw error
    expect([refusal.code, refusal.message, refusal.cause]).toEqual(['unavailable', UNAVAILABLE, error])
    expect(refusal.reason).toStartWith(words)
    expect(refusal.reason).toEndWith(`(${error.message})`)
  })
}

test('a right that is missing is not told as something that passes', () => {
  const error = serverError('42501', 'permission denied for table checks')
  const words = 'this user may not do that in the database: make it the owner of the database'
  expect(faultReason(error)).toBe(words)
  expect(asRefusal(error)).toMatchObject({ code: 'unavailable', message: 'the database cannot be used' })
  expect(asOpenError(asRefusal(error), 'postgres://db/o')).toMatchObject({
    message: 'cannot use the database postgres://db/o',
    data: { reason: `${words} (permission denied for table checks)` },
  })
})

test('a database that is lost while it is opened is not told with words for clients', () => {
  const error = asOpenError(asRefusal(serverError('25006', 'it is read only')), 'postgres://db/o')
  expect(error).toMatchObject({ code: 'database-unusable', message: 'cannot use the database postgres://db/o' })
})

test('a bug of ours stays the same error, whether PostgreSQL reports it or not', () => {
  const bugs = [
    serverError('42601', 'syntax error at or near "SELEKT"'),
    serverError('42P08', 'could not determine data type of parameter $2'),
    serverError('23505', 'duplicate key value violates unique constraint'),
    driverError('ERR_POSTGRES_SYNTAX_ERROR', 'syntax error'),
    new Error('bug'),
    'text',
    undefined,
  ]
  for (const error of bugs) {
    expect(faultReason(error)).toBeNull()
    expect(asRefusal(error)).toBe(error)
  }
})

test('a refusal that passes through stays the same refusal', () => {
  const refusal = new Refusal('check-not-paused', 'taken')
  expect(asRefusal(refusal)).toBe(refusal)
})

test('a server that ends, became read only or cannot be reached is lost; one that refuses a statement is not', () => {
  const lost = ['57P01', '57P02', '57P03', '25006', '08006'].map((code) => serverError(code, 'gone'))
  expect(lost.filter((error) => !isLost(error))).toEqual([])
  expect(isLost(driverError('ERR_POSTGRES_CONNECTION_CLOSED', 'Connection closed'))).toBe(true)
  const kept = ['53100', '55P03', '57014', '40P01', '23505', '42601'].map((code) => serverError(code, 'no'))
  expect(kept.filter(isLost)).toEqual([])
  expect(isLost(new Error('08006'))).toBe(false)
})

test('a transaction that another one was in the way of runs again; no other failed one does', () => {
  const again = ['40P01', '40001', '23503', '23505'].map((code) => serverError(code, 'conflict'))
  expect(again.filter((error) => !isConflict(error))).toEqual([])
  const once = ['57P01', '55P03', '53100', '23514'].map((code) => serverError(code, 'no'))
  expect(once.filter(isConflict)).toEqual([])
})

test('what the driver does not understand while it connects is a refusal that names the settings, and a bug stays one', () => {
  const strange = asOpenError(driverError('ERR_POSTGRES_UNEXPECTED_MESSAGE', 'Failed to read data'), 'postgres://db/o')
  expect(strange).toMatchObject({
    code: 'database-unusable',
    data: { reason: expect.stringContaining('DATABASE_URL') },
  })
  const bug = new TypeError('undefined is not a function')
  expect(asOpenError(bug, 'postgres://db/o')).toBe(bug)
})
