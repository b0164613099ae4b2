/** Parses a database address. Error messages never quote text that may be part of a password. */
import { isIPv6 } from 'node:net'
import {
  type DatabaseAddress,
  DEFAULT_SSL_MODE,
  POSTGRES_PORT,
  type PostgresHost,
  SSL_MODES,
  type SslMode,
} from '../domain/database-address.ts'
import { isStorable } from '../lib/text/text.ts'
import { filePath, wholeNumber } from './parsers.ts'

const EXAMPLE = 'postgres://overdue:password@db.example.org/overdue'
const PARAMETERS = ['sslmode', 'sslrootcert', 'host', 'port']
/** Maximum length of a name in bytes. PostgreSQL truncates longer names without an error. */
const NAME_BYTES = 63
const HOSTS_MAX = 16
/** libpq's word for the certificate authorities that the system trusts */
const SYSTEM = 'system'

/**
 * Parses `sqlite:<path of a file>`, or `postgres://user:password@host:port,host:port/name?sslmode=…&sslrootcert=…`. A unix socket is
 * written as `?host=/folder` or as a percent-encoded host, as in libpq.
 * @throws Error that says what to change, without the password
 */
export function databaseAddress(given: string): DatabaseAddress {
  const url = /^postgres(?:ql)?:(.*)$/is.exec(given)?.[1]
  if (url === undefined) return { engine: 'sqlite', path: sqlitePath(given) }
  const { login, hosts, name, query } = split(url)
  const parameters = readQuery(query)
  const colon = login.indexOf(':')
  const user = colon === -1 ? login : login.slice(0, colon)
  const password = colon === -1 ? '' : decoded('the password', login.slice(colon + 1))
  return {
    engine: 'postgres',
    hosts: readHosts(hosts, parameters.get('host'), parameters.get('port')),
    user: readName('user', user),
    password: password === '' ? null : password,
    database: readName('database', name),
    ...readTls(parameters.get('sslmode'), parameters.get('sslrootcert')),
  }
}

function sqlitePath(given: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(given)?.[1]
  if (path) return filePath(path)
  const quoted = given.includes('@') ? 'this' : `"${given}"`
  throw new Error(`${quoted} is not valid; use sqlite:<path of a file>, or a URL like ${EXAMPLE}`)
}

interface Parts {
  readonly login: string
  readonly hosts: string
  readonly name: string
  readonly query: string
}

/** @param url the part after `postgres:` */
function split(url: string): Parts {
  const parts = /^\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?(#.*)?$/s.exec(url)
  if (!parts) throw new Error(`is not a URL of PostgreSQL; use one like ${EXAMPLE}`)
  const [, authority = '', name = '', query = '', fragment] = parts
  if (fragment !== undefined || name.includes('@') || query.includes('@')) {
    throw new Error('has a character that a URL cannot hold as it is; write / as %2F, ? as %3F, # as %23 and @ as %40')
  }
  const at = authority.lastIndexOf('@')
  return { login: authority.slice(0, Math.max(0, at)), hosts: authority.slice(at + 1), name, query }
}

function readQuery(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const item of query.split('&').filter((item) => item !== '')) {
    const [name = '', ...value] = item.split('=')
    if (!PARAMETERS.includes(name)) {
      const what = /^\w{1,40}$/.test(name) ? `"${name}" is not a parameter of this URL` : 'has an unknown parameter'
      throw new Error(`${what}; use only ${new Intl.ListFormat('en').format(PARAMETERS)}`)
    }
    if (parameters.has(name)) throw new Error(`has ${name} twice; use it once`)
    parameters.set(name, decoded(name, value.join('=')))
  }
  return parameters
}

function readHosts(authority: string, host: string | undefined, port: string | undefined): PostgresHost[] {
  if (host === undefined) {
    if (port !== undefined) throw new Error('has the parameter port without host; write the port after its host')
    if (authority === '') throw new Error(`has no host; use a URL like ${EXAMPLE}, or ?host=/folder for a unix socket`)
    return limited(authority.split(',').map(readHost))
  }
  if (authority !== '') throw new Error('names hosts before the path and in the parameter host; use one of the two')
  const hosts = host.split(',')
  const ports = port === undefined ? [] : port.split(',')
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new Error('has a different number of ports than hosts; give one port for all, or one for each')
  }
  return limited(hosts.map((name, index) => ({ host: hostName(name), port: readPort(ports[index] ?? ports[0]) })))
}

function limited(hosts: PostgresHost[]): PostgresHost[] {
  if (hosts.length > HOSTS_MAX) throw new Error(`has ${hosts.length} hosts; use at most ${HOSTS_MAX}`)
  return hosts
}

/** @param given `db.example.org`, `db.example.org:5433`, `[::1]:5433` or `%2Frun%2Fpostgresql` */
function readHost(given: string): PostgresHost {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(given) ?? []
  if (bracketed !== undefined && isIPv6(bracketed)) return { host: bracketed, port: readPort(port) }
  if (plain === undefined) throw new Error('has a host that is not valid; write an IPv6 address as [::1]')
  return { host: hostName(decoded('a host', plain)), port: readPort(port) }
}

function hostName(host: string): string {
  const isFolder = host.startsWith('/')
  if (isFolder ? host.length <= 100 : (host.length <= 255 && /^[a-z\d_][\w.-]*$/i.test(host)) || isIPv6(host))
    return host
  throw new Error(
    'has a host that is not valid; use a name, an address (IPv6 in brackets), or the absolute path of the folder of a unix socket',
  )
}

function readPort(given: string | undefined): number {
  if (given === undefined || given === '') return POSTGRES_PORT
  try {
    return wholeNumber(1, 65_535)(given)
  } catch {
    // The message does not quote the port, because the text may be part of a password.
    throw new Error(`has a port that is not a whole number from 1 to 65535; use a URL like ${EXAMPLE}`)
  }
}

function readName(what: 'user' | 'database', given: string): string {
  const name = decoded(`the name of the ${what}`, given)
  if (name === '') throw new Error(`has no ${what}; use a URL like ${EXAMPLE}`)
  if (Buffer.byteLength(name) <= NAME_BYTES) return name
  throw new Error(`has a name of the ${what} that is too long; PostgreSQL's names have at most ${NAME_BYTES} bytes`)
}

function readTls(mode: string | undefined, rootCertificate: string | undefined) {
  const sslmode = mode === undefined ? DEFAULT_SSL_MODE : readMode(mode)
  if (rootCertificate === undefined) return { sslmode, sslrootcert: null }
  if (!sslmode.startsWith('verify-')) {
    throw new Error(`has sslrootcert, which sslmode=${sslmode} does not use; set sslmode=verify-full`)
  }
  return { sslmode, sslrootcert: rootCertificate === SYSTEM ? null : filePath(rootCertificate) }
}

function readMode(given: string): SslMode {
  const mode = SSL_MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  const choices = new Intl.ListFormat('en', { type: 'disjunction' }).format(SSL_MODES)
  throw new Error(`has an sslmode that is not supported; use ${choices}`)
}

/** @throws Error that names the invalid part but does not quote its text */
function decoded(what: string, text: string): string {
  const whole = decode(text)
  if (whole === null) throw new Error(`has a % in ${what} that does not begin an encoded character; write % as %25`)
  if (isStorable(whole)) return whole
  throw new Error(`has a character in ${what} that PostgreSQL does not accept; leave out %00`)
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
