/** A user's OpenID provider identities: the card, and `/account/security/single-sign-on`, where the user links and unlinks them. */
import type { OidcProvider } from '../../../../../domain/account/sign-in-rules.ts'
import type { Instant } from '../../../../../lib/time.ts'
import {
  hasIdentity,
  type Identity,
  listIdentities,
  unlinkIdentity,
} from '../../../../../services/accounts/sign-in/identities.ts'
import { contextOf, type PageContext } from '../../../context.ts'
import type { Href } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { linkButton, submit } from '../../../parts/forms/buttons.ts'
import { card, keyValues } from '../../../parts/lists.ts'
import { alertNote } from '../../../parts/notes.ts'
import { bdi } from '../../../parts/words/text.ts'
import { relativeTime } from '../../../parts/words/times.ts'
import type { AccountVisit, FrameContent, GateContent, PageAnswer, Route } from '../../../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from '../../forms.ts'
import { sensitiveRoute } from '../../new-route.ts'
import type { SecurityCard } from './card.ts'
import { IDENTITIES, linkIdentityRoutes } from './link-identity.ts'
import { depart } from './oidc.ts'
import { SECURITY_CRUMBS } from './page.ts'

export const identitiesCard: SecurityCard = async (deps, { account, site: { href } }) => {
  const { oidc } = deps.signInRules
  if (oidc === null) return null
  const words = (await hasIdentity(deps, account))
    ? html`You can sign in with ${oidc.name}.`
    : html`Your account is not linked to ${oidc.name} yet.`
  const action = linkButton({ text: 'Manage single sign-on', href: href(IDENTITIES) })
  return card({ title: 'Single sign-on', body: html`<p>${words}</p><div class="acts">${action}</div>` })
}

/** Returns no routes if no provider is set up, or if a proxy signs users in. */
export function identitiesRoutes(deps: PageDeps): readonly Route[] {
  const { oidc } = deps.signInRules
  if (oidc === null || deps.remoteUserHeader !== null) return []
  return [
    sensitiveRoute('GET', IDENTITIES, (visit) => readPage(deps, oidc, visit, NO_PROBLEMS)),
    sensitiveRoute('POST', IDENTITIES, (visit) => post(deps, oidc, visit)),
    ...linkIdentityRoutes(deps),
  ]
}

async function post(deps: PageDeps, oidc: OidcProvider, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person, account, session } = visit
  const page = (problems: FormProblems) => readPage(deps, oidc, visit, problems)
  const refused = { 'identity-needed': WHOLE, 'oidc-unavailable': WHOLE, 'over-limit': WHOLE }
  return orFormAgain({ refused, page }, async () => {
    if (form.text('action') === 'link') {
      const { url, cookie } = await depart(deps, visit, { purpose: 'link', next: null, account })
      // The Content-Security-Policy does not allow a form to redirect to another site, so this page redirects there, and shows a link.
      return { kind: 'page', page: goOnPage(oidc, url), cookie, headers: { refresh: `0; url=${url}` } }
    }
    const identity = { issuer: form.text('issuer'), subject: form.text('subject') }
    await unlinkIdentity(deps, person, account, identity, session?.lookup ?? null)
    return { kind: 'redirect', to: IDENTITIES, done: 'identity-unlinked' }
  })
}

async function readPage(
  deps: PageDeps,
  oidc: OidcProvider,
  visit: AccountVisit,
  problems: FormProblems,
): Promise<FrameContent> {
  const identities = await listIdentities(deps, visit.person)
  return identitiesPage({ ...contextOf(deps, visit), oidc, identities, problems })
}

interface IdentitiesData extends PageContext {
  readonly oidc: Pick<OidcProvider, 'name'>
  readonly identities: readonly Identity[]
  readonly problems: FormProblems
}

function identitiesPage({ href, oidc, identities, now, tz, problems }: IdentitiesData): FrameContent {
  const { name } = oidc
  const cards = identities.map((identity) => identityCard(href, identity, now, tz))
  const none = html`<p>Your account is not linked to ${name} yet. Once it is linked, you can sign in with ${name}.</p>`
  const isNone = cards.length === 0
  return {
    layout: 'frame',
    title: 'Single sign-on',
    crumbs: SECURITY_CRUMBS,
    isNarrow: true,
    body: html`<div class="stack">${problems.whole !== null && alertNote(problems.whole)}${isNone ? none : cards}
<form method="post" action="${href(IDENTITIES)}">${submit({ text: isNone ? 'Link account' : 'Link another', look: isNone ? 'primary' : 'plain', field: { name: 'action', value: 'link' } })}</form></div>`,
  }
}

function identityCard(href: Href, { issuer, subject, lastUsedAt }: Identity, now: Instant, tz: string): Html {
  const facts = keyValues([
    ['Person there', bdi(subject)],
    ['Last used', lastUsedAt === null ? 'never' : relativeTime(lastUsedAt, now, tz)],
  ])
  const unlink = html`<form method="post" action="${href(IDENTITIES)}"><input type="hidden" name="issuer" value="${issuer}"><input type="hidden" name="subject" value="${subject}"><p>Your other sessions end.</p><div class="acts">${submit({ text: 'Unlink', label: `Unlink ${subject}` })}</div></form>`
  return card({ title: bdi(issuer), body: html`${facts}${unlink}` })
}

function goOnPage({ name }: Pick<OidcProvider, 'name'>, url: string): GateContent {
  return {
    layout: 'gate',
    title: `Link ${name}`,
    body: html`<p>Sign in at ${name} as the person that you want to link.</p>
<p class="acts">${linkButton({ text: `Continue to ${name}`, look: 'primary', href: url })}</p>`,
  }
}
