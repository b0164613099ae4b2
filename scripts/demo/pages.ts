/** Pages of the demo, and their pictures in the documents. */
import type { Demo } from './demo.ts'
import { PROJECTS } from './job.ts'

/** Slugs of checks whose pages are shown. */
const FAILED = 'ledger-export'
const SILENT = 'shop-database-backup'
const CHANGEFUL = 'stock-etl'
const RULES = 'queue-worker'
const OTHERWISE = 'courier-manifest'

const CRONTAB = `# m h dom mon dow command
30 2 * * *    /opt/shop/bin/invoices --send
*/15 * * * *  /opt/shop/bin/courier-labels
0 6 * * 1-5   /usr/local/bin/price-list.sh
@reboot       /opt/shop/bin/warm-cache
`

/** Placeholder for the slug of the project, part of which is random. */
const SLUG = 'SLUG'
const PROJECT = `/p/${SLUG}`

export interface DemoPage {
  /** name of its files in `docs/screenshots/` */
  readonly name: string
  /**
   * path below the address of the page of the check or the integration, or of the demo; `NEWEST` represents the number of the check's
   * newest ping, `SLUG` the slug of the company's project
   */
  readonly path: string
  /** slug of the page's check; null: the page is about no single one */
  readonly check: string | null
  /** name of the page's integration; null: the page is about no single one */
  readonly integration: string | null
  readonly isSignedIn: boolean
  /** text that is on the page only if it is filled */
  readonly shows: string
  /** text typed into a field before the picture is taken; some keys open the field; a selector finds the answer */
  readonly typed: {
    readonly keys?: string
    readonly role: 'textbox' | 'combobox'
    readonly label: string
    readonly text: string
    readonly answer: string
  } | null
  /** themes and sizes of the pictures in the documents */
  readonly looks: readonly Look[]
}

/** Theme and size in which a page is shown. */
export interface Look {
  /** suffix after the name of the page */
  readonly suffix: string
  readonly theme: 'light' | 'dark'
  readonly size: { readonly width: number; readonly height: number }
  readonly isPhone: boolean
}

const DESK = { size: { width: 1280, height: 860 }, isPhone: false }
const PHONE = { size: { width: 390, height: 844 }, isPhone: true }
const LIGHT: Look = { suffix: '', theme: 'light', ...DESK }
const DARK: Look = { suffix: '-dark', theme: 'dark', ...DESK }
const LIGHT_PHONE: Look = { suffix: '-phone', theme: 'light', ...PHONE }
const DARK_PHONE: Look = { suffix: '-dark-phone', theme: 'dark', ...PHONE }

export const LOOKS: readonly Look[] = [LIGHT, DARK, LIGHT_PHONE, DARK_PHONE]

const page = (name: string, path: string, shows: string): DemoPage => ({
  name,
  path,
  check: null,
  integration: null,
  isSignedIn: true,
  shows,
  typed: null,
  looks: [LIGHT],
})
const pageOfCheck = (name: string, check: string, path: string, shows: string): DemoPage => ({
  ...page(name, path, shows),
  check,
})

export const DEMO_PAGES: readonly DemoPage[] = [
  { ...page('sign-in', '/sign-in', 'Sign in'), isSignedIn: false, looks: [] },
  { ...page('overview', '/', 'Shop database backup'), looks: LOOKS },
  page('night', '/night', 'Shop database backup'),
  page('checks', `${PROJECT}/checks`, 'Recommendations'),
  page('advice', `${PROJECT}/advice`, 'Cover images'),
  pageOfCheck('check', SILENT, '', 'Shop database backup'),
  pageOfCheck('log', CHANGEFUL, '/log', 'warehouse.stock_daily'),
  pageOfCheck('ping', FAILED, '/log/NEWEST', 'AuthenticationException'),
  { ...page('new-check', `${PROJECT}/checks/new`, 'New check'), looks: [] },
  {
    ...page('crontab', `${PROJECT}/checks/new/crontab`, 'Paste a crontab'),
    typed: { role: 'textbox', label: 'Crontab', text: CRONTAB, answer: '#jobs table' },
  },
  {
    ...page('palette', `${PROJECT}/checks`, 'Recommendations'),
    typed: {
      keys: 'Control+k',
      role: 'combobox',
      label: 'Search checks and job output, or type a command',
      text: 'backup',
      answer: '#palette-list mark',
    },
  },
  pageOfCheck('schedule', OTHERWISE, '/edit?tab=schedule', 'Would you have been woken?'),
  {
    ...pageOfCheck('rules', RULES, '/edit?tab=rules', 'stuck'),
    typed: { role: 'textbox', label: 'Body of the request', text: '{"status":"stuck","waiting":212}', answer: 'mark' },
  },
  { ...page('status', '/status/harbour-books', 'Website search'), isSignedIn: false },
  page('integrations', `${PROJECT}/integrations`, 'Quiet 22:00'),
  { ...page('integration', '', 'Weekly'), integration: 'ops@harbourbooks.example' },
  page('alerts', `${PROJECT}/alerts`, 'Status board'),
  page('mute', `${PROJECT}/mute?project=on`, 'Upgrades of the databases'),
  page('badges', `${PROJECT}/badges`, 'Markdown'),
  page('reports', `${PROJECT}/reports`, 'ops@harbourbooks.example'),
  { ...page('status-page', `${PROJECT}/status-page`, 'Care of your data'), looks: [] },
  { ...page('project-settings', `${PROJECT}/settings`, 'Ping key'), looks: [] },
  page('search', '/search?q=backup', 'NAS snapshots'),
  page('wall', `/wall?p=${SLUG}`, 'Shop database backup'),
]

export async function addressOf(demo: Demo, { path, check, integration }: DemoPage): Promise<string> {
  if (integration !== null) return (await demo.findIntegration(integration)) + path
  if (check === null) return demo.url + path.replace(SLUG, await demo.findSlug(PROJECTS[0]))
  const { url, newestPing } = await demo.findCheck(check)
  return url + path.replace('NEWEST', String(newestPing))
}

/** Names of the files in `docs/screenshots/`, in order. */
export const SCREENSHOTS: readonly string[] = DEMO_PAGES.flatMap(({ name, looks }) =>
  looks.map(({ suffix }) => `${name}${suffix}.png`),
)
