/** Recognisable secrets of the operator and of channels of every kind. */
import { OPERATOR_SETTINGS } from '../../src/transports/operator.ts'
import { sampleSecret as token } from '../../src/transports/sample.ts'
import { SETTINGS } from '../transports/kinds.ts'

/** Operator settings of single kinds, with a secret in the parts that only the operator knows. */
const OF_KINDS = Object.fromEntries(
  OPERATOR_SETTINGS.map(({ name, example }) => [
    name,
    example.replace('…', token(name.toLowerCase().replaceAll('_', ''))),
  ]),
)

/** Secrets of the operator. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...OF_KINDS,
  SECRET_KEY: token('secretkey'),
  METRICS_KEY: token('metrics'),
  EMAIL_HOST: '127.0.0.1',
  EMAIL_HOST_USER: 'operator@login.example.org',
  EMAIL_HOST_PASSWORD: token('password'),
  EMAIL_USE_TLS: 'False',
  APPRISE_URL: `https://user:${token('appriseurl')}@apprise.example.org/notify`,
  SIGNAL_CLI_SOCKET: '127.0.0.1:9',
  TWILIO_FROM: '+15005550001',
}

/** Secret parts of these values and of the samples of all kinds. */
const HELD = [JSON.stringify(ENVIRONMENT), JSON.stringify(SETTINGS)]
  .flatMap((text) => [...text.matchAll(/\w+0Secret1Token2Of3\w+|whsec_\w+|[\w.]+@[\w.]+example\.org|\+\d{11}/g)])
  .map(([secret]) => secret)
  // A user and host in a URL look like an address.
  .filter((secret) => !secret.endsWith('@apprise.example.org'))

/** Finds secrets in a text, plain, percent-encoded or in base64. @param more secrets that this test created */
export function secretsIn(text: string, more: readonly string[] = []): string[] {
  const plain = text.toLowerCase()
  const decoded = [...text.matchAll(/[\w+/-]{16,}={0,2}/g)].map(([word]) => Buffer.from(word, 'base64').toString())
  return [...new Set([...HELD, ...more])].filter((secret) => {
    const forms = [secret, encodeURIComponent(secret)].map((form) => form.toLowerCase())
    return forms.some((form) => plain.includes(form)) || decoded.some((words) => words.includes(secret))
  })
}
