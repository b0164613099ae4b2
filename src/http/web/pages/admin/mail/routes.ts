/**
 * `/admin/mail`: the mail server settings, for administrators. Anyone who can change the mail server can read all outgoing email, so the
 * page requires a recent proof of identity.
 */
import { mailboxWords } from '../../../../../domain/mail/mail-server.ts'
import type { MailMistakes, TypedMailServer } from '../../../../../domain/mail/typed-mail-server.ts'
import {
  countMailTest,
  type MailServerState,
  type MailTrial,
  readMailServer,
  removeMailServer,
  saveMailServer,
  tryMailServer,
} from '../../../../../services/mail/mail-server.ts'
import type { Form } from '../../../form.ts'
import type { PageDeps } from '../../../page.ts'
import type { AccountVisit, FrameContent, PageAnswer, Route } from '../../../route.ts'
import { again, type FormProblems, NO_PROBLEMS, orFormAgain } from '../../forms.ts'
import { sensitiveAdminRoute } from '../../new-route.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { mailPage, REMOVE, TEST } from './page.ts'

const PATH = ADMIN_TABS.mail.path

export function adminMailRoutes(deps: PageDeps): readonly Route[] {
  return [
    sensitiveAdminRoute('GET', PATH, (visit) => page(deps, visit)),
    sensitiveAdminRoute('POST', PATH, (visit) => post(deps, visit)),
  ]
}

interface Shown {
  /** values that the user typed; by default, the form shows the stored values */
  readonly typed?: TypedMailServer
  readonly to?: string
  readonly mistakes?: MailMistakes
  readonly problems?: FormProblems
  readonly trial?: MailTrial
}

async function page(deps: PageDeps, { person, account, site }: AccountVisit, over: Shown = {}): Promise<FrameContent> {
  const { to = account.email, mistakes = {}, problems = NO_PROBLEMS, trial = null } = over
  const state = await readMailServer(deps, person)
  const typed = over.typed ?? typedOf(state)
  return mailPage({ href: site.href, state, typed, mistakes, to, toMistake: problems.fields.to, trial })
}

function typedOf({ stored, environment }: MailServerState): TypedMailServer {
  const from = mailboxWords(stored?.from ?? environment.from)
  if (stored === null) return { host: '', encryption: 'starttls', port: '', user: '', password: '', from }
  const { host, encryption, port, user } = stored
  return { host, encryption, port: String(port), user: user ?? '', password: '', from }
}

function typedIn(form: Form): TypedMailServer {
  const text = (name: keyof TypedMailServer) => form.text(name)
  return {
    ...{ host: text('host'), encryption: text('encryption'), port: text('port') },
    ...{ user: text('user'), password: text('password'), from: text('from') },
  }
}

async function post(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const action = form.text(TEST.name)
  if (action === REMOVE.value) {
    await removeMailServer(deps, person)
    return { kind: 'redirect', to: PATH, done: 'mail-server-removed' }
  }
  return action === TEST.value ? await test(deps, visit) : await save(deps, visit)
}

async function save(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const typed = typedIn(visit.form)
  const mistakes = await saveMailServer(deps, visit.person, typed)
  if (mistakes !== null) return again(await page(deps, visit, { typed, mistakes }))
  return { kind: 'redirect', to: PATH, done: 'saved' }
}

/**
 * Saves the settings before testing them, so that the user doesn't have to retype the password if the test fails. Settings from environment
 * variables are not saved.
 */
async function test(deps: PageDeps, visit: AccountVisit): Promise<PageAnswer> {
  const { form, person } = visit
  const to = form.text('to').trim()
  const typed = typedIn(form)
  const canSet = deps.mailSetup.environment.server === null
  const values = canSet ? { typed, to } : { to }
  const refused = { 'email-invalid': 'to', 'over-limit': 'to' }
  return orFormAgain({ refused, page: (problems) => page(deps, visit, { ...values, problems }) }, async () => {
    deps.tests.take(visit)
    countMailTest(deps, to)
    const mistakes = canSet ? await saveMailServer(deps, person, typed) : null
    if (mistakes !== null) return again(await page(deps, visit, { ...values, mistakes }))
    const trial = await tryMailServer(deps, person, to)
    return await page(deps, visit, { to, trial })
  })
}
