/** `/account/security/passkeys/<id>`: renames or removes a passkey. */
import { PASSKEY_NAME_LIMIT, type Passkey } from '../../../../../domain/account/passkey.ts'
import { getPasskey, removePasskey, renamePasskey } from '../../../../../services/accounts/sign-in/passkeys.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { submit } from '../../../parts/forms/buttons.ts'
import { textField } from '../../../parts/forms/fields.ts'
import { card } from '../../../parts/lists.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain } from '../../forms.ts'
import { sensitiveRoute } from '../../new-route.ts'
import { ACCOUNT_PATHS } from '../tabs.ts'
import { SECURITY_CRUMBS } from './page.ts'

export const PASSKEYS = `${ACCOUNT_PATHS.security}/passkeys`

export function passkeyPath(id: string): string {
  return `${PASSKEYS}/${id}`
}

export function passkeyRoutes(deps: PageDeps): readonly Route[] {
  const path = `${PASSKEYS}/:passkey`
  return [
    sensitiveRoute('GET', path, async ({ person, params, site: { href } }) => {
      const passkey = await getPasskey(deps, person, params.passkey ?? '')
      return passkeyPage(href, passkey, passkey.name, NO_PROBLEMS)
    }),
    sensitiveRoute('POST', path, (visit) => change(deps, visit)),
  ]
}

async function change(deps: PageDeps, { person, params, form, session, site }: AccountVisit): Promise<PageAnswer> {
  const passkey = await getPasskey(deps, person, params.passkey ?? '')
  const to = ACCOUNT_PATHS.security
  if (form.text('action') === 'remove') {
    await removePasskey(deps, person, passkey.id, session?.lookup ?? null)
    return { kind: 'redirect', to, done: 'passkey-removed' }
  }
  const name = form.text('name')
  const page = (problems: FormProblems) => passkeyPage(site.href, passkey, name, problems)
  return orFormAgain({ refused: { 'name-invalid': 'name' }, page }, async () => {
    await renamePasskey(deps, person, passkey.id, name)
    return { kind: 'redirect', to, done: 'saved' }
  })
}

/** @param typed the name entered by the user */
function passkeyPage(
  href: Href,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
  typed: string,
  { fields }: FormProblems,
): FrameContent {
  const action = href(passkeyPath(id))
  return {
    layout: 'frame',
    title: 'Passkey',
    heading: bdi(name),
    crumbs: SECURITY_CRUMBS,
    isNarrow: true,
    body: html`<div class="stack"><form class="form" method="post" action="${action}">
${textField({ name: 'name', label: 'Name', value: typed, isRequired: true, maxLength: PASSKEY_NAME_LIMIT, error: fields.name, hasFocus: fields.name !== undefined })}
<div class="acts">${submit({ text: 'Save name', look: 'primary', field: { name: 'action', value: 'rename' } })}</div>
</form>
${card({
  title: 'Remove',
  body: html`<form class="stack" method="post" action="${action}"><p>The passkey stops working, and your other sessions end. Delete it on your device, too.</p>
<div class="acts">${submit({ text: 'Remove passkey', look: 'danger', field: { name: 'action', value: 'remove' } })}</div></form>`,
})}</div>`,
  }
}
