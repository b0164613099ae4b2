/**
 * Steps that all passkey pages share: sending the data to sign as JSON, setting a cookie for it, and reading the signature from the
 * form.
 */
import { CHALLENGE_SECONDS } from '../../domain/account/challenge.ts'
import { Refusal } from '../../domain/errors.ts'
import type { PasskeyRequest } from '../../services/accounts/sign-in/passkey-requests.ts'
import type { PasskeyAnswer } from '../../services/accounts/sign-in/passkeys.ts'
import type { Deps } from '../../services/common/deps.ts'
import { cookiePlace, readCookie, setCookie } from './cookie.ts'
import { PASSKEY_FIELD } from './parts/forms/passkey-form.ts'
import type { PageAnswer, Visit } from './route.ts'

const NAME = 'overdue_passkey'

/** @param page path of the page that receives the cookie and the form */
export function optionsAnswer(
  deps: Pick<Deps, 'site'>,
  visit: Visit,
  page: string,
  { token, options }: PasskeyRequest<unknown>,
): PageAnswer {
  const place = cookiePlace(deps, visit, visit.site.href(page))
  const cookie = setCookie({ name: NAME, value: token, seconds: CHALLENGE_SECONDS, place })
  const headers = { 'content-type': 'application/json', 'set-cookie': cookie }
  return { kind: 'file', body: JSON.stringify(options), headers }
}

/** @throws Refusal `passkey-refused` for a form that the script has not filled in */
export function readPasskeyAnswer({ request, form }: Visit): PasskeyAnswer {
  const response = form.text(PASSKEY_FIELD)
  if (response === '') {
    throw new Refusal(
      'passkey-refused',
      'the browser sent no passkey: passkeys need JavaScript, and a browser from 2025 or later',
    )
  }
  return { token: readCookie(request.headers, NAME), response }
}
