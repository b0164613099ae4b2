/** Passkeys of people, on their devices, for tests of services. */
import type { Account } from '../../../src/domain/account/account.ts'
import type { Passkey } from '../../../src/domain/account/passkey.ts'
import { requestNewPasskey } from '../../../src/services/accounts/sign-in/passkey-requests.ts'
import { addPasskey } from '../../../src/services/accounts/sign-in/passkeys.ts'
import type { Claims, PasskeyDevice } from '../../support/passkey-device.ts'
import type { TestApp } from '../../support/test-app.ts'
import { personAt } from './people.ts'

export const ORIGIN = 'https://overdue.example.org'
export const RULES = { rpId: 'overdue.example.org', origin: ORIGIN }
/** Lookup of the session in which passkeys are added. */
export const SESSION = 'lookup of a session'

export const NOT_ACCEPTED = ['passkey-refused', 'the passkey was not accepted', {}]
export const ENDED = ['passkey-refused', 'the passkey request has already been answered, or has expired; try again', {}]
export const OF_ANOTHER = ['passkey-refused', 'the passkey request belongs to another sign-in; try again', {}]

/** Claims that are wrong only in the signed structures. */
export const WRONG: Readonly<Record<string, Claims>> = {
  'another origin': { origin: 'https://overdue.example.com' },
  'the same host over http': { origin: 'http://overdue.example.org' },
  'another server': { rpId: 'example.org' },
  'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
  'nobody who is present': { isPresent: false, isVerified: false },
  'the other kind of answer': { type: 'payment.get' },
}

export async function addTo(
  t: TestApp,
  account: Account,
  device: PasskeyDevice,
  claims: Claims = {},
  name = 'Laptop',
): Promise<Passkey> {
  const { deps } = t.app
  const { token, options } = await requestNewPasskey(deps, RULES, account, SESSION)
  const answer = { token, response: device.create(options, claims) }
  return addPasskey(deps, RULES, personAt(account), SESSION, answer, name)
}
