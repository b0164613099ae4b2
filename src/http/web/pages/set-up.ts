/** `/setup/<token>`: creates the first account, and then redirects to the first-ping page. */

import { Refusal } from '../../../domain/errors.ts'
import { createFirstAccount, type FirstSetUp, getFirstSetUp } from '../../../services/accounts/sign-in/first-account.ts'
import { FIRST_PROJECT } from '../../../services/projects/projects.ts'
import { afterSignIn } from '../after-sign-in.ts'
import { projectPath, START } from '../href.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { Page, PageDeps } from '../page.ts'
import { PASSWORD_HELP, zoneField } from '../parts/forms/account-fields.ts'
import { submit } from '../parts/forms/buttons.ts'
import { firstBad, textField } from '../parts/forms/fields.ts'
import { keyValues } from '../parts/lists.ts'
import { alertNote, note } from '../parts/notes.ts'
import { siteNote } from '../parts/reach-note.ts'
import { bdi } from '../parts/words/text.ts'
import type { GateContent, PageAnswer, Route, Visit, VisitorVisit } from '../route.ts'
import { type FormProblems, NO_PROBLEMS, orFormAgain, WHOLE } from './forms.ts'
import { visitorRoute } from './new-route.ts'

const SET_UP_STEPS = ['Account and project', 'First ping'] as const

export const page: Page = {
  routes: setUpRoutes,
  fixtures: {
    'GET /setup/:token': { for: 'everybody', status: 404, at: '{link:first-account}' },
    'POST /setup/:token': {
      for: 'everybody',
      status: 404,
      at: '{link:first-account}',
      form: { email: 'late@example.org', password: '{password}' },
    },
  },
}

function setUpRoutes(deps: PageDeps): readonly Route[] {
  const hasPassword = deps.signInRules.hasLocalSignIn
  const path = '/setup/:token'
  return [
    visitorRoute('GET', path, async (visit) => {
      const setUp = await getFirstSetUp(deps, visit.params.token ?? '')
      const who = whoseAccount(deps, visit)
      const server = serverOf(deps, visit)
      return setUpPage({ setUp, server, ...who, hasPassword, values: NOTHING, problems: NO_PROBLEMS })
    }),
    visitorRoute('POST', path, (visit) => post(deps, visit)),
  ]
}

async function post(deps: PageDeps, visit: VisitorVisit): Promise<PageAnswer> {
  const { params, form, client } = visit
  const setUp = await getFirstSetUp(deps, params.token ?? '')
  const who = whoseAccount(deps, visit)
  const values = {
    email: who.remoteUser ?? form.text('email'),
    project: form.text('project').trim(),
    tz: form.text('tz').trim(),
  }
  const hasPassword = deps.signInRules.hasLocalSignIn
  const again = (problems: FormProblems) =>
    setUpPage({ setUp, server: serverOf(deps, visit), ...who, hasPassword, values, problems })
  const refused = {
    'email-invalid': 'email',
    'password-invalid': 'password',
    'name-invalid': 'project',
    'project-name-taken': 'project',
    'tz-invalid': 'tz',
    busy: WHOLE,
  }
  return orFormAgain({ refused, page: again }, async () => {
    const password = who.remoteUser === null && hasPassword ? form.text('password') : null
    const filled = { email: values.email, password, tz: values.tz || 'UTC', projectName: values.project || null }
    const { session, project } = await createFirstAccount(deps, params.token ?? '', filled, client)
    const to = project ? projectPath(project.slug, 'first-ping') : START
    return session === null ? { kind: 'redirect', to } : afterSignIn(deps, visit, session, { to })
  })
}

/**
 * Returns the email address of the user whom the proxy has signed in, because nobody else could use the account. Returns null if this
 * server signs users in itself.
 * @throws Refusal `forbidden` if the proxy did not identify a user
 */
function whoseAccount({ remoteUserHeader }: PageDeps, { remoteUser }: Visit): { readonly remoteUser: string | null } {
  if (remoteUserHeader === null || remoteUser !== null) return { remoteUser }
  throw new Refusal(
    'forbidden',
    `Overdue received no email address from its proxy in the header ${remoteUserHeader}. Let the proxy send your email there, then open this link at the address of the proxy`,
  )
}

/** Information about this server to show on the page. */
interface ServerFacts {
  readonly siteRoot: string
  /** the host that the browser used, if it differs from SITE_ROOT's host; otherwise null */
  readonly other: { readonly host: string; readonly root: string } | null
  readonly engine: string
  readonly database: string
  readonly sendsMail: boolean
  readonly mailDomain: string | null
  readonly version: string
}

function serverOf({ site, place, operator, ownProcess }: PageDeps, { request, client }: Visit): ServerFacts {
  const { siteRoot } = site.links
  // Don't compare the scheme, because not every proxy forwards it.
  const host = request.headers.get('host')
  return {
    siteRoot,
    other: host === null || host === new URL(siteRoot).host ? null : { host, root: `${client.scheme}://${host}` },
    engine: place.engine,
    database: place.database,
    sendsMail: operator.EMAIL_HOST !== undefined,
    mailDomain: place.mailDomain,
    version: ownProcess.version,
  }
}

interface SetUpValues {
  readonly email: string
  readonly project: string
  readonly tz: string
}

const NOTHING: SetUpValues = { email: '', project: '', tz: '' }

interface SetUpData {
  readonly setUp: FirstSetUp
  readonly server: ServerFacts
  /** email address from the proxy; null if the form has to ask for one */
  readonly remoteUser: string | null
  /** false if users can only sign in through the OpenID provider */
  readonly hasPassword: boolean
  readonly values: SetUpValues
  readonly problems: FormProblems
}

function setUpPage({ setUp, server, remoteUser, hasPassword, values, problems }: SetUpData): GateContent {
  const { fields, whole } = problems
  const bad = firstBad(['email', 'password', 'project', 'tz'], fields)
  const focus = (name: string) => name === (bad ?? 'email')
  const signIn = html`${textField({ name: 'email', label: 'Email', type: 'email', value: values.email, autocomplete: 'username', isRequired: true, maxLength: 254, help: server.sendsMail ? 'Used to sign in. Sign-in links are sent to this address.' : 'Used to sign in. You can set up email later, at Administration › Mail.', error: fields.email, hasFocus: focus('email') })}
${hasPassword && textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', isRequired: true, help: PASSWORD_HELP, error: fields.password, hasFocus: focus('password') })}`
  return {
    layout: 'gate',
    title: 'Set up',
    heading: 'Welcome. Create the first account.',
    intro: 'This account will be the administrator of the server. The page works only once. No mail server is needed.',
    steps: { names: SET_UP_STEPS, current: 0 },
    body: html`<form class="form" method="post">
${whole !== null && alertNote(whole)}
${remoteUser === null ? signIn : html`<p>The account is for <b>${bdi(remoteUser)}</b>, signed in by the proxy. It needs no password.</p>`}
<div class="two">${setUp.canRename && textField({ name: 'project', label: 'First project', value: values.project || FIRST_PROJECT, maxLength: 200, help: 'A team, a customer, or a server.', error: fields.project, hasFocus: focus('project') })}
${zoneField({ value: values.tz, error: fields.tz, hasFocus: focus('tz') })}</div>
${owned(setUp)}
<p class="help">Coming from Healthchecks? Create the account first, then go to Administration › Import.</p>
${submit({ text: 'Create account', look: 'primary', isWide: true })}
</form>`,
    aside: { name: 'This server', body: aside(server) },
  }
}

function owned({ projects, canRename }: FirstSetUp): HtmlValue {
  const names = projects.filter(({ name }) => !canRename || name !== FIRST_PROJECT).map(({ name }) => bdi(name))
  if (names.length === 0) return null
  const list = names.flatMap((name, index) => (index === 0 ? [name] : [', ', name]))
  const [what, them] = names.length === 1 ? ['project', 'it'] : ['projects', 'them']
  return html`<p class="help">The account will own the ${what} ${list}, unless someone already owns ${them}.</p>`
}

function aside({ siteRoot, other, engine, database, sendsMail, mailDomain, version }: ServerFacts): Html {
  const facts = keyValues([
    ['Address', html`<code>${siteRoot}</code>`],
    ['Data', html`${engine}, <code>${database}</code>`],
    ['Mail out', sendsMail ? 'set up' : 'not set up (optional)'],
    ['Mail in', mailDomain === null ? 'off' : html`<code>${mailDomain}</code>`],
    ['Version', version],
  ])
  return html`${facts}${other === null ? siteNote({ siteRoot }, true) : note('late', html`You opened this page at <b>${other.host}</b>, but ping URLs and links begin with <code>${siteRoot}</code>. If jobs and people use the other address, set <code>SITE_ROOT=${other.root}</code> and restart the server.`)}`
}
