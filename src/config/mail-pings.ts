/** Settings of the mail server that receives pings by email. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { wholeNumber } from './parsers.ts'
import { PEM, type Settings } from './settings.ts'

export interface MailPings {
  readonly port: number
  /** domain after the @ in the email addresses of checks */
  readonly domain: string
  /** certificate chain and private key in PEM format; null if connections are not encrypted */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

/** @returns null when the server receives no email */
export function readMailPings(settings: Settings): MailPings | null {
  const port = settings.get('SMTPD_PORT', null, wholeNumber(0, 65_535))
  const domain = settings.get('PING_EMAIL_DOMAIN', 'localhost', mailDomain)
  const tls = readCertificate(settings)
  return port === null ? null : { port, domain, tls }
}

function readCertificate(settings: Settings): MailPings['tls'] {
  const { problems } = settings
  const problemsBefore = problems.length
  // Text in PEM format is already the content of a `NAME_FILE`.
  const read = (given: string) => (given.startsWith(PEM) ? given : settings.readNamed(given))
  const cert = settings.get('SMTPD_TLS_CERT', null, (given) => parseCertificate(read(given)))
  const key = settings.get('SMTPD_TLS_KEY', null, (given) => parsePrivateKey(read(given)))
  if ((cert === null && key === null) || problems.length > problemsBefore) return null
  if (cert === null) problems.push('SMTPD_TLS_CERT: is not set; set it, or unset SMTPD_TLS_KEY')
  else if (key === null) problems.push('SMTPD_TLS_KEY: is not set; set it, or unset SMTPD_TLS_CERT')
  else if (!cert.parsed.checkPrivateKey(key.parsed)) {
    problems.push('SMTPD_TLS_KEY: does not belong to SMTPD_TLS_CERT; use the private key of that certificate')
  }
  return cert && key && { cert: cert.pem, key: key.pem }
}

function parseCertificate(pem: string) {
  try {
    return { pem, parsed: new X509Certificate(pem) }
  } catch {
    throw new Error('the file contains no certificate; use one in PEM format')
  }
}

function parsePrivateKey(pem: string) {
  try {
    return { pem, parsed: createPrivateKey(pem) }
  } catch {
    throw new Error('the file holds no private key; use one in PEM format, without a passphrase')
  }
}

function mailDomain(given: string): string {
  if (given.length <= 255 && /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(given)) return given
  throw new Error(`"${given.slice(0, 100)}" is not a domain; use one like ping.example.org`)
}
