/** Every page in each relevant state: with form errors, empty lists and open menus. */
import type { Page } from 'playwright-core'
import { tokenLookup } from '../../../src/domain/account/session.ts'
import type { Fixture } from '../../../src/http/web/fixture.ts'
import { PAGES } from '../../../src/http/web/pages/index.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { changeRows, rowsIn } from '../../../test/support/rows.ts'
import { serve } from '../../../test/support/served.ts'
import { fill, publicIdOf } from './filled.ts'
import {
  ADMINISTRATOR,
  administrator,
  fillSignIn,
  openSiteWithAdministrator,
  PASSWORD,
  type Person,
  plainSlugs,
  type Site,
  send,
} from './site.ts'

interface View {
  readonly name: string
  /** signed-in person; null: nobody */
  readonly as: Person | null
  readonly open: (page: Page) => Promise<unknown>
}

export interface Views {
  readonly site: Site
  readonly list: readonly View[]
  close(): Promise<void>
}

/** Names in braces that fixtures use and the site has. */
const NAMES = [
  'project',
  'check',
  'new-check',
  'channel',
  'new-channel',
  'section',
  'status-page',
  'account',
  'member',
] as const
type Names = Readonly<Record<(typeof NAMES)[number], string>>

/** Every page of `PAGES` that opens by its address, with the fixture that opens it. */
const PLAIN_VIEWS: ReadonlyMap<string, Fixture> = new Map(
  PAGES.flatMap(({ fixtures }) => Object.entries(fixtures)).filter(([name, fixture]) => isPlain(name, fixture)),
)

function isPlain(name: string, fixture: Fixture): boolean {
  const { type, policy, status = 200, but } = fixture
  const isPage = name.startsWith('GET ') && type === undefined && policy === undefined
  const unknown = addressOf(name, fixture).replaceAll(/\{([a-z-]+)\}/g, (braced, known) =>
    isName(known) ? '' : braced,
  )
  return isPage && (status === 200 || but?.stranger === 200) && !unknown.includes('{')
}

function isName(name: string): name is keyof Names {
  return NAMES.some((each) => each === name)
}

function addressOf(name: string, { at }: Fixture): string {
  return at ?? name.replace('GET ', '').replaceAll(/:(\w+)/g, '{$1}')
}

/** Names of further views, listed here because a suite needs them before it has started. */
const NAMED_VIEWS = [
  'start without an account',
  'set-up',
  'set-up, gone wrong',
  'set-up, link ended',
  'sign-in, gone wrong',
  'single sign-on, not available',
  'sign-in by email, sent',
  'second factor',
  'second factor, gone wrong',
  'sign-up, gone wrong',
  'sign-up, sent',
  'sign-up by link',
  'sign-up by link, gone wrong',
  'is it you?',
  'is it you?, gone wrong',
  'password by link',
  'password by link, gone wrong',
  'link in an email, ended',
  'no such page',
  'what is wrong, none',
  'overview, all good',
  'what is wrong, no projects',
  'projects, none',
  'search',
  'search, found',
  'search, nothing found',
  'night, 24 hours',
  'night, older than everything',
  'night, with muted checks',
  'projects, a toast and the menu of projects',
  'new project, gone wrong',
  'checks in every state',
  'checks, selected, with the field for a tag',
  'checks, roomy, with the menu of the view',
  'checks, the last 24 hours',
  'checks, none matches',
  'checks, delete asks',
  'several checks changed, as tried',
  'several checks changed, gone wrong',
  'checks, none',
  'checks, none, read-only',
  'integrations, read-only',
  'integrations, none',
  'alerts, read-only',
  'alerts, none match',
  'alerts, still open',
  'alert, retrying',
  'alert, of a late ping',
  'incident',
  'incident, a note gone wrong',
  'incident, to be taken, gone wrong',
  'incident, somebody is on it, read-only',
  'incident, over',
  'mute, gone wrong, with what is muted',
  'mute, with planned windows and one that hides every run',
  'window, repeated, gone wrong',
  'window, changed',
  'check, in windows that hide every run',
  'check, muted, with the menu of a mute',
  'check, muted, read-only',
  'check, muted, with its rhythm as a table',
  'checks, muted',
  'alerts, one not sent',
  'new check, gone wrong',
  'new check, from a line of a crontab',
  'pasted crontab',
  'pasted crontab, gone wrong',
  'check, up, with its runs as a table',
  'check, down',
  'check, new',
  'check, paused, read-only',
  'check, with what changed in its output',
  'check, with a late ping among its runs',
  'check, running',
  'check, resumed',
  'check, with its ping URL and its menu open',
  'check, with lines for its job',
  'advice, read-only',
  'advice, a fix was made',
  'advice, put off',
  'advice of all projects',
  'schedule of a check, with a proposal',
  'schedule of a check, from a crontab line',
  'alerts of a check',
  'alerts of a check, to no one',
  'details of a check, gone wrong',
  'schedule of a check, gone wrong',
  'rules of a check, a failure and the keyword that makes it',
  'rules of a check, a start',
  'rules of a check, gone wrong',
  'delete check, gone wrong',
  'log',
  'log, nothing matches',
  'log, none',
  'log, with a late ping',
  'opened late ping',
  'opened email',
  'first ping, no check',
  'first ping, waiting',
  'first ping, not for this role',
  'status page, gone wrong',
  'section of a status page, gone wrong',
  'settings, gone wrong',
  'settings, keys only',
  'settings, new API key',
  'settings, revoke API key',
  'settings, delete project, gone wrong',
  'team',
  'team, read-only',
  'team, gone wrong',
  'team, offered',
  'member of a team',
  'member of a team, gone wrong',
  'new invitation',
  'leave a project, gone wrong',
  'invitation',
  'invitation, gone wrong',
  'invitation, signed in',
  'new integration, gone wrong',
  'new integration, quiet hours gone wrong',
  'integration, tested',
  'badges, Shields',
  'badges, nothing found',
  'reports, read-only',
  'reports, none',
  'your reports, none',
  'preview of a report',
  'preview of a reminder',
  'preview of a report, none',
  'wall of a key',
  'account, gone wrong',
  'account, help for keys',
  'palette, empty',
  'palette, with hits',
  'palette, commands, read-only',
  'single sign-on, before it is linked',
  'password, gone wrong',
  'authenticator app, gone wrong',
  'audit log, a row open',
  'audit log, none matches',
  'accounts, none matches',
  'new account, gone wrong',
  'an account',
  'an account, delete',
  'an account, link',
  'mail server of the environment, tested',
  'import, gone wrong',
  'backups, none for a week',
  'backups, the last one failed',
  'instances, one of them gone, one with a wrong clock',
  'import, beside other instances',
] as const

type ViewName = (typeof NAMED_VIEWS)[number]

/** Views: one for each page, such as `GET /p/:project/checks`, and others with a name. Those beside other instances are last. */
export const VIEWS: readonly string[] = [...PLAIN_VIEWS.keys(), ...NAMED_VIEWS]

const CHECKS = '/p/default/checks'
const ADVICE = '/p/default/advice'
const CRONTAB = `CRON_TZ=Europe/Riga
0 2 * * *   /opt/backup/db.sh | gzip > /var/backups/db.gz
*/90 * * * * /opt/shop/feeds.sh
15 7 * * 1-5 /opt/finance/bank-import
@daily      /opt/shop/giftcards expire
@reboot     /opt/shop/worker
0 25 * * * /opt/never
`

export async function openViews(): Promise<Views> {
  const mailPort = freePort()
  const [site, empty] = await Promise.all([
    openSiteWithAdministrator({
      EMAIL_HOST: '127.0.0.1',
      REGISTRATION_OPEN: 'True',
      DEFAULT_FROM_EMAIL: 'a@example.org',
      SMTPD_PORT: String(mailPort),
      PING_EMAIL_DOMAIN: 'ping.example',
      INSTANCE_NAME: 'x'.repeat(100),
      // An address on which nothing listens.
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'overdue',
      OIDC_NAME: 'x'.repeat(60),
    }),
    serve(),
  ])
  const { server } = site
  const owner = await administrator(site)
  const link =
    'INSERT INTO identities (issuer, subject, account_id, created_at) SELECT $1, $2, id, created_at FROM accounts WHERE email = $3'
  await changeRows(server.databaseUrl, link, ['http://127.0.0.1:1', 'x'.repeat(255), ADMINISTRATOR])
  await send(server.baseUrl, '/sign-in', { email: ADMINISTRATOR, password: PASSWORD })
  const [reader, member, lonely] = await Promise.all(
    ['reader', 'member', 'lonely'].map((name) => site.person(`${name}@example.org`)),
  )
  if (!reader || !member || !lonely) throw new Error('three people have accounts')
  const [twice, asked, calm] = await Promise.all(
    ['twice', 'asked', 'calm'].map((name) => site.person(`${name}@example.org`)),
  )
  if (!twice || !asked || !calm) throw new Error('three more people have accounts')
  await addSecondFactor(server.databaseUrl, twice.email)
  await signedInLongAgo(server.databaseUrl, asked.email)
  const linkToken = await addAwaitedLink(server.databaseUrl, ADMINISTRATOR)
  const signUpPath = await addSignUp(server.databaseUrl, `${'x'.repeat(60)}@example.org`)
  const write = (path: string, fields: Record<string, string> = {}) =>
    send(server.baseUrl, path, fields, { cookie: owner.cookie })
  for (const name of ['Empty', 'Waiting', 'Calm', `A name without blanks ${'x'.repeat(120)}`])
    await write('/projects/new', { name })
  await plainSlugs(server)
  for (const name of ['Default', 'Empty']) {
    await server.overdue('project', 'member', 'add', name, reader.email, '--role', 'read-only')
  }
  await server.overdue('project', 'member', 'add', 'Empty', member.email, '--role', 'member')
  await write('/p/waiting/first-ping', { action: 'make-check', name: 'First job' })
  const { up, down, fresh, paused, changed, running, resumed } = await fill(server, mailPort)
  await server.overdue('project', 'member', 'add', 'Calm', calm.email, '--role', 'read-only')
  const { uuid: good } = await server.overdue<{ uuid: string }>(
    'check',
    'create',
    '--project',
    'Calm',
    '--name',
    'Good',
  )
  await fetch(`${server.baseUrl}/ping/${good}`)
  const { key } = await server.overdue<{ key: string }>('key', 'create', 'Default', '--kind', 'read-only')
  const mailTo = async (project: string, address: string) => {
    const settings = JSON.stringify({ value: address, report: 'weekly', reminder: 'daily' })
    const words = ['--project', project, '--kind', 'email', '--name', 'x'.repeat(90), '--settings', settings]
    return (await server.overdue<{ id: string }>('channel', 'create', ...words)).id
  }
  const mails = {
    ops: await mailTo('Default', ADMINISTRATOR),
    idle: await mailTo('Empty', `${'x'.repeat(60)}@example.org`),
  }
  await write('/account/reports', { action: 'morning', morning: 'trouble', hour: '7' })
  const sectionPath = await addStatusPage(write, [up, down, fresh, paused])
  const addIntegration = (kind: string, settings: unknown, ...more: readonly string[]) =>
    server.overdue<{ id: string }>(
      ...['channel', 'create', '--project', 'Default', '--kind', kind],
      ...['--name', `A ${kind}`, '--settings', JSON.stringify(settings), ...more],
    )
  // The server has no application for this kind.
  await addIntegration('telegram', { id: 1 })
  // Its quiet hours have a pause of a minute.
  const quiet = ['--quiet-from', '00:00', '--quiet-until', '23h 59m']
  const { id: integration } = await addIntegration('slack', `https://hooks.example.org/${'x'.repeat(60)}`, ...quiet)
  // Its address is private, so the server continues to try.
  const { id: unreachable } = await addIntegration('webhook', { url: `http://127.0.0.1:9/${'x'.repeat(60)}` })
  const { uuid: alerting } = await server.overdue<{ uuid: string }>(
    ...['check', 'create', '--project', 'Default', '--name', `Alerting ${'x'.repeat(80)}`],
    ...['--channels', `${unreachable},${integration}`],
  )
  await fetch(`${server.baseUrl}/ping/${alerting}/fail`)
  await fetch(`${server.baseUrl}/ping/${alerting}?at=${Date.now() - 47 * 60_000}`)
  const late = await publicIdOf(server, alerting)
  const open = await rowsIn<{ public_id: string; n: number }>(
    server.databaseUrl,
    'SELECT public_id, n FROM incidents JOIN checks ON checks.id = check_id WHERE resolved_at IS NULL',
  )
  const incident = `/p/default/alerts/${down}-${open.find((each) => each.public_id === down)?.n}`
  const long = `${'x'.repeat(60)}@${'y'.repeat(60)}.example.org`
  await server.overdue('account', 'create', long)
  for (const email of [long, member.email]) await server.overdue('project', 'member', 'add', 'Waiting', email)
  const accounts = await rowsIn<{ id: string; email: string }>(server.databaseUrl, 'SELECT id, email FROM accounts')
  const idOf = (email: string) => accounts.find((account) => account.email === email)?.id ?? ''
  const ofOwner = idOf(ADMINISTRATOR)
  await write('/p/waiting/team/ownership', { to: idOf(member.email) })
  const invited = await server.overdue<{ url: string }>('project', 'member', 'invite', 'Waiting', '--role', 'read-only')
  const invitation = new URL(invited.url).pathname
  const setUpPath = new URL((await empty.overdue<{ url: string }>('account', 'link')).url).pathname
  const { url } = await server.overdue<{ url: string }>('account', 'reset', lonely.email)
  const passwordPath = new URL(url).pathname

  await lengthenNames(server.databaseUrl)

  const at = (path: string) => (page: Page) => page.goto(server.baseUrl + path)
  const atEmpty = (path: string) => (page: Page) => page.goto(empty.baseUrl + path)
  const press = (page: Page, button: string) =>
    Promise.all([page.waitForNavigation(), page.getByRole('button', { name: button, exact: true }).click()])
  /** Opens a page beside other instances. All later views have these instances, and so no form for an import. */
  const besideOthers = (path: string) => async (page: Page) => {
    await addInstances(server.databaseUrl)
    await at(path)(page)
  }
  /** Opens a page, types into its form and sends it. */
  const sent =
    (open: (page: Page) => Promise<unknown>, fields: Record<string, string>, button: string) => async (page: Page) => {
      await open(page)
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
      await press(page, button)
    }
  const askedForCode = async (page: Page) => {
    await at('/sign-in')(page)
    await Promise.all([page.waitForURL('**/sign-in/code*'), fillSignIn(page, twice.email)])
  }
  /** Opens the page after a backup or failure long ago. @param setting that stores it */
  const withBackup = (setting: string, values: object) => async (page: Page) => {
    const text = JSON.stringify({ at: 1_700_000_000_000_000 + setting.length, ...values })
    await changeRows(server.databaseUrl, 'DELETE FROM settings WHERE name = $1', [setting])
    await changeRows(server.databaseUrl, 'INSERT INTO settings (name, value) VALUES ($1, $2)', [setting, text])
    await at('/admin/backups')(page)
  }
  const openAccount = async (page: Page) => {
    await at('/admin/accounts?q=reader')(page)
    await page.getByRole('link', { name: reader.email }).click()
    await page.getByRole('heading', { name: reader.email }).waitFor()
  }
  const views: Readonly<Record<ViewName, readonly [Person | null, View['open']]>> = {
    'start without an account': [null, atEmpty('/')],
    'set-up': [null, atEmpty(setUpPath)],
    'set-up, gone wrong': [
      null,
      sent(atEmpty(setUpPath), { Email: 'a@b', Password: 'x', 'Time zone': 'Mars' }, 'Create account'),
    ],
    'set-up, link ended': [null, atEmpty('/setup/none')],
    'sign-in, gone wrong': [
      null,
      async (page) => {
        await at('/sign-in')(page)
        await Promise.all([page.waitForNavigation(), fillSignIn(page, 'nobody@example.org')])
      },
    ],
    'sign-in by email, sent': [null, sent(at('/sign-in/link'), { Email: 'nobody@example.org' }, 'Mail me a link')],
    'second factor': [null, askedForCode],
    'second factor, gone wrong': [null, sent(askedForCode, { Code: '000000' }, 'Sign in')],
    'sign-up, gone wrong': [null, sent(at('/sign-up'), { Email: 'a@b' }, 'Mail me a link')],
    'sign-up, sent': [null, sent(at('/sign-up'), { Email: `${'x'.repeat(60)}@example.org` }, 'Mail me a link')],
    'sign-up by link': [null, at(signUpPath)],
    'sign-up by link, gone wrong': [
      null,
      sent(at(signUpPath), { Password: 'x', 'Time zone': 'Mars' }, 'Create account'),
    ],
    'is it you?': [asked, at('/account/email')],
    'is it you?, gone wrong': [
      asked,
      sent(at('/account/email'), { 'Your password': 'wrong' }, 'Confirm with password'),
    ],
    'password by link': [null, at(passwordPath)],
    'password by link, gone wrong': [null, sent(at(passwordPath), { Password: 'short' }, 'Save password')],
    'link in an email, ended': [null, at('/integrations/none/unsub/none')],
    'no such page': [null, at('/no-such-page')],
    'what is wrong, none': [member, at('/')],
    'overview, all good': [calm, at('/')],
    'what is wrong, no projects': [lonely, at('/')],
    'projects, none': [lonely, at('/projects')],
    search: [owner, at('/search')],
    'search, found': [owner, at('/search?q=backup')],
    'search, nothing found': [owner, at('/search?q=nothing+like+it')],
    'night, 24 hours': [reader, at('/night?view=24h')],
    'night, older than everything': [reader, at('/night?night=2020-01-01')],
    'night, with muted checks': [
      owner,
      async (page) => {
        await write('/p/default/mute', { c: up, until: 'morning', reason: `The new disk ${'x'.repeat(90)}` })
        await write('/p/default/mute', { tag: 'prod', until: '1h' })
        await at('/night?view=24h')(page)
      },
    ],
    'projects, a toast and the menu of projects': [
      owner,
      async (page) => {
        await at('/p/default/checks?done=project-made')(page)
        await page.locator('.switcher summary').click()
      },
    ],
    'new project, gone wrong': [owner, sent(at('/projects/new'), { Name: 'Default' }, 'Create project')],
    'checks in every state': [reader, at('/p/default/checks')],
    'checks, selected, with the field for a tag': [
      owner,
      async (page) => {
        await at('/p/default/checks')(page)
        await page.getByLabel('Select all shown').check()
        await page.locator('#bulk summary').first().click()
      },
    ],
    'checks, roomy, with the menu of the view': [
      reader,
      async (page) => {
        await at('/p/default/checks')(page)
        await page.locator('summary', { hasText: 'View' }).click()
        await press(page, 'Roomy')
        await page.locator('summary', { hasText: 'View' }).click()
      },
    ],
    'checks, the last 24 hours': [
      reader,
      async (page) => {
        await at('/p/default/checks')(page)
        await press(page, '24 h')
        await page.locator('#list.day td[data-q] svg').first().waitFor()
      },
    ],
    'checks, none matches': [owner, at(`/p/default/checks?q=nothing&status=up&tag=${'x'.repeat(100)}`)],
    'several checks changed, as tried': [
      owner,
      async (page) => {
        await at('/p/default/checks')(page)
        await page.getByLabel('Select all shown').check()
        await press(page, 'Change schedule or grace…')
        await page.getByLabel('Move all by', { exact: true }).fill('15')
        await page.getByLabel('Add tags').fill('nightly')
        await page.locator('#changes', { hasText: 'would change' }).waitFor()
      },
    ],
    'several checks changed, gone wrong': [
      owner,
      async (page) => {
        await at('/p/default/checks')(page)
        await page.getByLabel('Select all shown').check()
        await press(page, 'Change schedule or grace…')
        await page.getByLabel('Set all to', { exact: true }).fill('at night')
        await page.getByLabel('Remove tags').fill('x'.repeat(501))
        await Promise.all([page.waitForNavigation(), page.locator('.bulk-settings .btn.primary').click()])
      },
    ],
    'checks, delete asks': [
      owner,
      async (page) => {
        await at('/p/default/checks')(page)
        await page.getByLabel('Select all shown').check()
        await press(page, 'Delete…')
      },
    ],
    'checks, none': [owner, at('/p/empty/checks')],
    'checks, none, read-only': [reader, at('/p/empty/checks')],
    'integrations, read-only': [reader, at('/p/default/integrations')],
    'integrations, none': [owner, at('/p/empty/integrations')],
    'alerts, read-only': [reader, at('/p/default/alerts')],
    'alerts, still open': [owner, at('/p/default/alerts?open')],
    'alerts, none match': [owner, at('/p/default/alerts?q=nothing&state=sent')],
    'alert, retrying': [
      owner,
      async (page) => {
        await at('/p/default/alerts')(page)
        await page.locator('.alert-rows .one a:visible').last().click()
        await page.getByRole('heading', { name: 'Attempts' }).waitFor()
      },
    ],
    'alert, of a late ping': [owner, at(`/p/default/alerts/${late}-2-${unreachable}`)],
    incident: [owner, at(incident)],
    'incident, a note gone wrong': [owner, sent(at(incident), { Note: ' ' }, 'Add note')],
    'incident, to be taken, gone wrong': [owner, sent(at(`${incident}/take`), { Note: 'x'.repeat(1001) }, 'I’m on it')],
    'incident, somebody is on it, read-only': [
      reader,
      async (page) => {
        await write(incident, { action: 'take' })
        await write(incident, { action: 'note', note: `Asking ${'x'.repeat(200)}` })
        await at(incident)(page)
      },
    ],
    'incident, over': [owner, at(`/p/default/alerts/${late}-1`)],
    'mute, gone wrong, with what is muted': [
      owner,
      async (page) => {
        const muted = { until: 'morning', reason: `The new disk ${'x'.repeat(90)}` }
        await write('/p/default/mute', { c: up, ...muted })
        await write('/p/default/mute', { tag: 'prod', ...muted })
        await at(`/p/default/mute?c=${up}`)(page)
        await page.getByLabel('Until a day and time').check()
        await page.getByLabel('Time, 24 hours').fill('noon')
        await press(page, 'Mute')
      },
    ],
    'mute, with planned windows and one that hides every run': [
      owner,
      async (page) => {
        const weekly = { kind: 'again', 'window-from': 'Mon 03:00', 'window-until': '1 h', 'window-tz': 'UTC' }
        await write('/p/default/mute/window', { c: resumed, ...weekly, reason: `The new disk ${'x'.repeat(90)}` })
        await write('/p/default/mute/window', { tag: 'prod', ...weekly, 'window-until': '03:30' })
        await at('/p/default/mute?project=on')(page)
        await page.getByText('Planned for the next four weeks').waitFor()
        await page.getByText('nobody is alerted until the window ends').waitFor()
      },
    ],
    'window, repeated, gone wrong': [
      owner,
      async (page) => {
        await at(`/p/default/mute/window?c=${up}`)(page)
        await page.getByText('Repeated', { exact: true }).click()
        await page.getByLabel('From', { exact: true }).fill('Saturnday')
        await page.getByLabel('Until', { exact: true }).fill('soon')
        await press(page, 'Plan window')
      },
    ],
    'window, changed': [
      owner,
      async (page) => {
        await at('/p/default/mute?project=on')(page)
        const windows = page.locator('.muted-l li').filter({ hasText: 'Repeats' })
        await windows.getByRole('link', { name: 'Change…' }).first().click()
        await page.getByRole('heading', { name: 'Change a window' }).waitFor()
      },
    ],
    'check, in windows that hide every run': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${resumed}`)(page)
        await page.getByText('Every run falls into planned maintenance').waitFor()
      },
    ],
    'check, muted, with the menu of a mute': [
      owner,
      async (page) => {
        await write('/p/default/mute', { c: down, until: 'morning', reason: `The new disk ${'x'.repeat(90)}` })
        await at(`${CHECKS}/${down}`)(page)
        await page.getByRole('button', { name: 'Mute until…' }).click()
      },
    ],
    'check, muted, read-only': [reader, at(`${CHECKS}/${down}`)],
    'check, muted, with its rhythm as a table': [
      owner,
      async (page) => {
        await write('/p/default/mute', { c: up, until: 'morning', reason: `The new disk ${'x'.repeat(90)}` })
        await at(`${CHECKS}/${up}`)(page)
        await page.locator('.rhythm .mu').first().waitFor({ state: 'attached' })
        await page.getByText('As a table').click()
      },
    ],
    'checks, muted': [owner, at(CHECKS)],
    'alerts, one not sent': [
      owner,
      async (page) => {
        const [project] = await rowsIn<{ name: string }>(
          server.databaseUrl,
          "SELECT name FROM projects WHERE slug = 'default'",
        )
        const { uuid } = await server.overdue<{ uuid: string }>(
          ...['check', 'create', '--project', project?.name ?? '', '--name', `Held ${'x'.repeat(80)}`],
        )
        await fetch(`${server.baseUrl}/ping/${uuid}/silence?for=1h`)
        await fetch(`${server.baseUrl}/ping/${uuid}/fail`)
        await at('/p/default/alerts')(page)
        await page.getByText('not sent, muted until').first().waitFor()
      },
    ],
    'new check, gone wrong': [
      owner,
      async (page) => {
        await at('/p/default/checks/new')(page)
        await page.getByLabel('Slug').fill('No Slug')
        await page.getByText('Cron', { exact: true }).click()
        await page.getByLabel('Cron expression').fill('* * * *')
        await page.getByLabel('Time zone').fill('Europe/Rige')
        await press(page, 'Create check')
      },
    ],
    'new check, from a line of a crontab': [
      owner,
      async (page) => {
        await at('/p/default/checks/new/crontab')(page)
        await page.getByLabel('Crontab', { exact: true }).fill('30 3 * * * /opt/backup/db.sh')
        await press(page, 'Fill in New check')
      },
    ],
    'pasted crontab': [
      owner,
      async (page) => {
        await at('/p/default/checks/new/crontab')(page)
        await page.getByLabel('Crontab', { exact: true }).fill(CRONTAB)
        await page.getByText('Changed lines are bold').waitFor()
      },
    ],
    'pasted crontab, gone wrong': [
      owner,
      async (page) => {
        await at('/p/default/checks/new/crontab')(page)
        await page.getByLabel('Crontab', { exact: true }).fill(CRONTAB)
        await page.getByLabel('Name of the check for line 2').fill('giftcards')
        for (const box of await page.getByRole('switch').all()) await box.uncheck()
        await press(page, 'Create 4 checks')
      },
    ],
    'check, up, with its runs as a table': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${up}`)(page)
        await page.getByText('As a table').click()
      },
    ],
    'check, down': [owner, at(`${CHECKS}/${down}?snippet=csharp`)],
    'check, new': [owner, at(`${CHECKS}/${fresh}`)],
    'check, paused, read-only': [reader, at(`${CHECKS}/${paused}`)],
    'check, with what changed in its output': [owner, at(`${CHECKS}/${changed}`)],
    'check, with a late ping among its runs': [owner, at(`${CHECKS}/${late}`)],
    'check, running': [owner, at(`${CHECKS}/${running}`)],
    'check, resumed': [owner, at(`${CHECKS}/${resumed}`)],
    'check, with its ping URL and its menu open': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${running}`)(page)
        for (const part of ['#ping > summary', '.head .menu > summary']) await page.locator(part).click()
      },
    ],
    'check, with lines for its job': [owner, at(`${CHECKS}/${fresh}?lines=ping-line#fix-lines`)],
    'advice, read-only': [reader, at(ADVICE)],
    'advice, a fix was made': [owner, at(`${ADVICE}?done-fix=${up}&done-set=tz.grace&undo=token`)],
    'advice, put off': [owner, at(`${ADVICE}?state=later`)],
    'advice of all projects': [owner, at('/advice')],
    'schedule of a check, with a proposal': [owner, at(`${CHECKS}/${up}/edit?tab=schedule&fix=zone.0`)],
    'schedule of a check, from a crontab line': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${up}/edit?tab=schedule`)(page)
        await page.getByText('Cron', { exact: true }).click()
        await page.getByLabel('Cron expression').fill('*/5 * * * * /usr/local/bin/backup.sh')
        await page.getByText('This is a crontab line').waitFor()
      },
    ],
    'alerts of a check': [owner, at(`${CHECKS}/${up}/edit?tab=alerts`)],
    'alerts of a check, to no one': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${up}/edit?tab=alerts`)(page)
        for (const box of await page.getByRole('switch').all()) await box.uncheck()
        await page.getByText('This check alerts no one.').waitFor()
      },
    ],
    'details of a check, gone wrong': [
      owner,
      sent(at(`${CHECKS}/${up}/edit`), { Tags: 'x'.repeat(501) }, 'Save details'),
    ],
    'schedule of a check, gone wrong': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${up}/edit?tab=schedule`)(page)
        await page.getByText('systemd OnCalendar', { exact: true }).click()
        await page.getByLabel('OnCalendar expressions').fill('never')
        await press(page, 'Save schedule')
      },
    ],
    'rules of a check, a failure and the keyword that makes it': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${down}/edit?tab=rules`)(page)
        await page.getByText('Request body', { exact: true }).click()
        await page.getByLabel('Failure keywords').fill('ERROR')
        await page
          .getByRole('textbox', { name: 'Body of the request' })
          .fill(`${'x'.repeat(200)}ERROR${'y'.repeat(200)}`)
        await page.locator('#tried mark').waitFor()
      },
    ],
    'rules of a check, a start': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${paused}/edit?tab=rules`)(page)
        await page.getByLabel('URL suffix').selectOption('/start')
        await page.getByText('It would resume the check.').waitFor()
      },
    ],
    'rules of a check, gone wrong': [
      owner,
      sent(at(`${CHECKS}/${up}/edit?tab=rules`), { 'Success keywords': 'x'.repeat(201) }, 'Save rules'),
    ],
    'delete check, gone wrong': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${up}/delete`)(page)
        await press(page, 'Delete check')
      },
    ],
    log: [owner, at(`${CHECKS}/${up}/log?kind=ok&kind=up-and-down`)],
    'log, nothing matches': [owner, at(`${CHECKS}/${up}/log?kind=ignored&until=2020-01-01T00:00`)],
    'log, none': [owner, at(`${CHECKS}/${fresh}/log`)],
    'log, with a late ping': [owner, at(`${CHECKS}/${late}/log`)],
    'opened late ping': [owner, at(`${CHECKS}/${late}/log/2`)],
    'opened email': [
      owner,
      async (page) => {
        await at(`${CHECKS}/${down}/log/2`)(page)
        for (const part of await page.locator('details.part').all()) await part.locator('summary').click()
      },
    ],
    'first ping, no check': [owner, at('/p/empty/first-ping')],
    'first ping, waiting': [owner, at('/p/waiting/first-ping?snippet=github')],
    'first ping, not for this role': [reader, at('/p/default/first-ping')],
    'status page, gone wrong': [
      owner,
      sent(at('/p/default/status-page'), { Address: 'No Slug', Title: ' ', 'Time zone': 'Mars' }, 'Save page'),
    ],
    'section of a status page, gone wrong': [
      owner,
      async (page) => {
        await at(sectionPath)(page)
        await page.getByLabel('Public name', { exact: true }).first().fill(' ')
        await page.getByRole('button', { name: 'Save section' }).first().click()
        await page.locator('.err').first().waitFor()
      },
    ],
    'settings, gone wrong': [owner, sent(at('/p/empty/settings'), { Name: 'Default' }, 'Save settings')],
    'settings, keys only': [member, at('/p/empty/settings')],
    'settings, new API key': [
      owner,
      sent(at('/p/default/settings'), { 'Name of a new key': 'Deploys' }, 'Create API key'),
    ],
    'settings, revoke API key': [
      owner,
      async (page) => {
        await at('/p/default/settings')(page)
        await Promise.all([
          page.waitForNavigation(),
          page
            .getByRole('link', { name: /^Revoke/ })
            .first()
            .click(),
        ])
      },
    ],
    'settings, delete project, gone wrong': [
      owner,
      sent(at('/p/default/settings/delete'), { 'Type its name to confirm': 'Nothing' }, 'Delete project'),
    ],
    team: [owner, at('/p/waiting/team')],
    'team, read-only': [reader, at('/p/default/team')],
    'team, gone wrong': [
      owner,
      // No server takes its email.
      sent(at('/p/waiting/team'), { Email: `${'x'.repeat(60)}@example.org` }, 'Create invitation'),
    ],
    'team, offered': [member, at('/p/waiting/team')],
    'member of a team': [owner, at(`/p/waiting/team/members/${ofOwner}`)],
    'member of a team, gone wrong': [
      owner,
      async (page) => {
        await at(`/p/waiting/team/members/${ofOwner}`)(page)
        await page.getByLabel('Role').selectOption('member')
        await press(page, 'Save role')
      },
    ],
    'new invitation': [owner, sent(at('/p/empty/team'), {}, 'Create invitation')],
    'leave a project, gone wrong': [owner, sent(at('/p/waiting/team/leave'), {}, 'Leave project')],
    invitation: [null, at(invitation)],
    'invitation, gone wrong': [
      null,
      sent(at(invitation), { Email: 'a@b', Password: 'x', 'Time zone': 'Mars' }, 'Create account and join'),
    ],
    'invitation, signed in': [lonely, at(invitation)],
    'new integration, gone wrong': [
      owner,
      sent(at('/p/waiting/integrations/new/zulip'), { Server: 'zulip', "Bot's API key": 'secret' }, 'Add integration'),
    ],
    'new integration, quiet hours gone wrong': [
      owner,
      sent(
        async (page) => {
          await at('/p/waiting/integrations/new/ntfy')(page)
          await page.getByText('Quiet hours', { exact: true }).click()
        },
        { Topic: 'ops', From: '25:00', Until: 'soon' },
        'Add integration',
      ),
    ],
    'integration, tested': [
      owner,
      sent(
        async (page) => {
          await at('/p/waiting/integrations/new/webhook')(page)
          await page.getByText('Advanced', { exact: true }).click()
        },
        { Name: 'Hook', URL: 'http://127.0.0.1:9/hook', 'Signing secret': `whsec_${'A'.repeat(32)}` },
        'Add and send test',
      ),
    ],
    'badges, Shields': [owner, at('/p/default/badges?format=shields&states=3&tag=db')],
    'badges, nothing found': [owner, at('/p/default/badges?q=nothing&format=json')],
    'reports, read-only': [reader, at('/p/default/reports')],
    'reports, none': [owner, at('/p/waiting/reports')],
    'your reports, none': [member, at('/account/reports')],
    'preview of a report': [owner, at(`/p/default/reports/${mails.ops}?kind=report`)],
    'preview of a reminder': [reader, at(`/p/default/reports/${mails.ops}?kind=reminder`)],
    'preview of a report, none': [owner, at(`/p/empty/reports/${mails.idle}?kind=report`)],
    'wall of a key': [
      null,
      async (page) => {
        await at(`/tv/#${key}=&wrong=Other`)(page)
        await page.locator('.wall-bad').waitFor()
      },
    ],
    'account, gone wrong': [owner, sent(at('/account'), { 'Time zone': 'Mars' }, 'Save settings')],
    'account, help for keys': [
      owner,
      async (page) => {
        await at('/account')(page)
        await page.keyboard.press('?')
        await page.getByRole('dialog').waitFor()
      },
    ],
    'palette, empty': [owner, openPalette('/', '')],
    'palette, with hits': [
      owner,
      async (page) => {
        await openPalette('/', 'ne')(page)
        await page.getByRole('option', { name: 'All results' }).waitFor()
      },
    ],
    'palette, commands, read-only': [reader, openPalette(`${CHECKS}/${up}`, '>')],
    'single sign-on, before it is linked': [
      owner,
      async (page) => {
        await page.context().addCookies([{ name: 'overdue_link', value: linkToken, url: server.baseUrl }])
        await at('/account/security/single-sign-on/link')(page)
        await page.getByRole('heading', { name: 'Is this you?' }).waitFor()
      },
    ],
    'single sign-on, not available': [null, at('/sign-in/oidc')],
    'password, gone wrong': [
      owner,
      sent(at('/account/security/password'), { 'New password': 'short' }, 'Save password'),
    ],
    'authenticator app, gone wrong': [
      owner,
      sent(at('/account/security/authenticator'), { Code: '000000' }, 'Turn on'),
    ],
    'audit log, a row open': [
      owner,
      async (page) => {
        await at('/p/default/audit')(page)
        await page.locator('.audit summary').first().click()
      },
    ],
    'audit log, none matches': [owner, at('/p/default/audit?q=nothing+like+it')],
    'accounts, none matches': [owner, at('/admin/accounts?q=nothing')],
    'new account, gone wrong': [owner, sent(at('/admin/accounts/new'), { Email: 'a@b' }, 'Create account')],
    'an account': [owner, openAccount],
    'an account, delete': [
      owner,
      async (page) => {
        await openAccount(page)
        await page.getByRole('link', { name: 'Delete account…' }).click()
        await page.getByRole('button', { name: 'Delete account' }).waitFor()
      },
    ],
    'an account, link': [owner, sent(openAccount, {}, 'Create a password link')],
    'mail server of the environment, tested': [owner, sent(at('/admin/mail'), {}, 'Send a test')],
    'import, gone wrong': [owner, sent(at('/admin/import'), { Location: '' }, 'Read and report')],
    'backups, none for a week': [
      owner,
      withBackup('backup', { bytes: 212_000_000, seconds: 3.5, file: `/${'x'.repeat(90)}.db` }),
    ],
    'backups, the last one failed': [
      owner,
      withBackup('backup-failure', { reason: `the disk is full: ${'x'.repeat(90)}` }),
    ],
    'instances, one of them gone, one with a wrong clock': [owner, besideOthers('/admin/instances')],
    'import, beside other instances': [owner, besideOthers('/admin/import')],
  }
  const names: Names = {
    project: 'default',
    check: down,
    'new-check': up,
    channel: mails.ops,
    'new-channel': integration,
    section: sectionPath.split('/').at(-1) ?? '',
    'status-page': 'default',
    account: idOf(reader.email),
    member: idOf(reader.email),
  }
  const plain = Array.from(PLAIN_VIEWS, ([name, fixture]) => {
    const address = addressOf(name, fixture).replaceAll(/\{([a-z-]+)\}/g, (_, known) =>
      isName(known) ? names[known] : '',
    )
    const isOpen = fixture.but?.stranger === 200 || fixture.for === 'everybody'
    return { name, as: isOpen ? null : owner, open: at(address) }
  })
  return {
    site,
    list: [...plain, ...NAMED_VIEWS.map((name) => ({ name, as: views[name][0], open: views[name][1] }))],
    async close() {
      await Promise.all([site.close(), empty.stop()])
    },
  }
}

function openPalette(path: string, typed: string): View['open'] {
  return async (page) => {
    await page.goto(path)
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type(typed)
  }
}

/** Makes each name a long word, on every page. */
async function lengthenNames(databaseUrl: string): Promise<void> {
  for (const table of ['projects', 'checks', 'channels']) {
    await changeRows(databaseUrl, `UPDATE ${table} SET name = substr(name || $1, 1, 100)`, ['W'.repeat(90)])
  }
}

/** Adds a second factor, so that a sign-in asks for a code, which nobody has. */
function addSecondFactor(databaseUrl: string, email: string): Promise<number> {
  return changeRows(databaseUrl, 'UPDATE accounts SET totp_secret = $1 WHERE email = $2', ['A'.repeat(32), email])
}

/** Makes the sign-in so old that sensitive actions ask for confirmation. */
function signedInLongAgo(databaseUrl: string, email: string): Promise<number> {
  const change = `
    UPDATE sessions SET created_at = created_at - $1, confirmed_at = NULL
    WHERE account_id = (SELECT id FROM accounts WHERE email = $2)`
  return changeRows(databaseUrl, change, [3_600_000_000, email])
}

/** @returns path of a link that creates an account */
async function addSignUp(databaseUrl: string, email: string): Promise<string> {
  const token = 'x'.repeat(43)
  const insert = 'INSERT INTO tokens (lookup, purpose, expires_at, email) VALUES ($1, $2, $3, $4)'
  await changeRows(databaseUrl, insert, [tokenLookup(token), 'sign-up', (Date.now() + 86_400_000) * 1_000, email])
  return `/sign-up/${token}`
}

/** Stores the return of a person with long names from the provider. @returns the token in the cookie */
async function addAwaitedLink(databaseUrl: string, email: string): Promise<string> {
  const token = 'y'.repeat(42).concat('w')
  const named = {
    issuer: 'http://127.0.0.1:1',
    subject: 'x'.repeat(255),
    name: 'x'.repeat(200),
    email: `${'x'.repeat(240)}@example.org`,
  }
  const insert = `
    INSERT INTO tokens (lookup, purpose, account_id, data, expires_at) SELECT $1, 'link', id, $2, $3 FROM accounts WHERE email = $4`
  const expiresAt = (Date.now() + 86_400_000) * 1_000
  await changeRows(databaseUrl, insert, [tokenLookup(token), JSON.stringify(named), expiresAt, email])
  return token
}

/** Adds two instances beside the server: one was killed long ago, one is alive and its clock is ahead. */
async function addInstances(databaseUrl: string): Promise<void> {
  const [now, hour] = [Date.now() * 1000, 3_600_000_000]
  const load = JSON.stringify({
    pingsPerSecond: 1234.5,
    commitMilliseconds: 12.34,
    processorShare: 0.987,
    memoryMegabytes: 1234,
  })
  const insert = `
    INSERT INTO instances (id, name, version, started_at, seen_at, clock_ahead, load) VALUES ($1, $2, $3, $4, $5, $6, $7)`
  await changeRows(databaseUrl, `DELETE FROM instances WHERE id IN ('gone', 'ahead')`, [])
  await changeRows(databaseUrl, insert, ['gone', 'killed', '0.1.0', now - 9 * hour, now - hour, 0, load])
  await changeRows(databaseUrl, insert, ['ahead', 'fast <b>', '10.20.30', now - hour, now + hour, 7_500_000, load])
}

/** Creates a public page with a section of these checks. @returns the address of the section's form */
async function addStatusPage(
  write: (path: string, fields: Record<string, string>) => Promise<Response>,
  publicIds: readonly string[],
): Promise<string> {
  const path = '/p/default/status-page'
  const text = `Are our jobs running? See https://example.org/${'x'.repeat(100)}`
  await write(path, { action: 'save', slug: 'default', title: 'Harbour Books', text, tz: 'Europe/Riga', public: 'on' })
  const name = `A section ${'x'.repeat(80)}`
  const added = await write(path, { action: 'add', 'section-name': name, 'section-tag': '' })
  const section = added.headers.get('location') ?? ''
  for (const [index, id] of publicIds.entries()) {
    const [own, words] = [`Service ${index} ${'y'.repeat(70)}`, `What it does ${'z'.repeat(100)}`]
    await write(section, { name, check: id, [`show-${id}`]: 'on', [`name-${id}`]: own, [`text-${id}`]: words })
  }
  return section
}
