/** The pages that the screenshots show, all taken from the demo. */
import type { Demo } from './demo.ts'
import { PROJECTS } from './job.ts'

/** Slugs of checks that pages are about. */
const FAILED = 'ledger-export'
const SILENT = 'shop-database-backup'
const CHANGEFUL = 'stock-etl'
const RULES = 'queue-worker'
const OTHERWISE = 'courier-manifest'

/** Stands for the slug of the project, part of which is drawn. */
const SLUG = 'SLUG'
const PROJECT = `/p/${SLUG}`

export interface DemoPage {
  /** of its files in `docs/screenshots/` */
  readonly name: string
  /** below the address of the page of the check or the integration, or of the demo; `NEWEST` stands for the number of the check's newest ping, `SLUG` for the slug of the company's project */
  readonly path: string
  /** slug of the check that the page is about; null: of no single one */
  readonly check: string | null
  /** name of the integration that the page is about; null: of no single one */
  readonly integration: string | null
  readonly isSignedIn: boolean
  /** text that stands on the page only if it is filled */
  readonly shows: string
  /** typed into a field before the picture is taken; a selector finds what answers it */
  readonly typed: { readonly label: string; readonly text: string; readonly answer: string } | null
}

const page = (name: string, path: string, shows: string): DemoPage => ({
  name,
  path,
  check: null,
  integration: null,
  isSignedIn: true,
  shows,
  typed: null,
})
const pageOfCheck = (name: string, check: string, path: string, shows: string): DemoPage => ({
  ...page(name, path, shows),
  check,
})

export const DEMO_PAGES: readonly DemoPage[] = [
  { ...page('sign-in', '/sign-in', 'Sign in'), isSignedIn: false },
  page('overview', '/', 'Shop database backup'),
  page('checks', `${PROJECT}/checks`, 'Recommendations'),
  pageOfCheck('check', SILENT, '', 'Shop database backup'),
  pageOfCheck('log', CHANGEFUL, '/log', 'warehouse.stock_daily'),
  pageOfCheck('ping', FAILED, '/log/NEWEST', 'AuthenticationException'),
  page('new-check', `${PROJECT}/checks/new`, 'New check'),
  pageOfCheck('schedule', OTHERWISE, '/edit?tab=schedule', 'Would you have been woken?'),
  {
    ...pageOfCheck('rules', RULES, '/edit?tab=rules', 'stuck'),
    typed: { label: 'Body of the request', text: '{"status":"stuck","waiting":212}', answer: 'mark' },
  },
  { ...page('status', '/status/harbour-books', 'Website search'), isSignedIn: false },
  page('integrations', `${PROJECT}/integrations`, 'Add an integration'),
  { ...page('integration', '', 'Weekly'), integration: 'ops@harbourbooks.example' },
  page('alerts', `${PROJECT}/alerts`, 'Status board'),
  page('badges', `${PROJECT}/badges`, 'Markdown'),
  page('reports', `${PROJECT}/reports`, 'ops@harbourbooks.example'),
  page('status-page', `${PROJECT}/status-page`, 'Care of your data'),
  page('project-settings', `${PROJECT}/settings`, 'Ping key'),
  page('search', '/search?q=backup', 'NAS snapshots'),
  page('wall', `/wall?p=${SLUG}`, 'Shop database backup'),
]

export async function addressOf(demo: Demo, { path, check, integration }: DemoPage): Promise<string> {
  if (integration !== null) return (await demo.findIntegration(integration)) + path
  if (check === null) return demo.url + path.replace(SLUG, await demo.findSlug(PROJECTS[0]))
  const { url, newestPing } = await demo.findCheck(check)
  return url + path.replace('NEWEST', String(newestPing))
}

/** The theme and the size in which each page is shown. */
export interface Look {
  /** follows the name of the page */
  readonly suffix: string
  readonly theme: 'light' | 'dark'
  readonly size: { readonly width: number; readonly height: number }
  readonly isPhone: boolean
}

const DESK = { size: { width: 1280, height: 860 }, isPhone: false }
const PHONE = { size: { width: 390, height: 844 }, isPhone: true }

export const LOOKS: readonly Look[] = [
  { suffix: '', theme: 'light', ...DESK },
  { suffix: '-dark', theme: 'dark', ...DESK },
  { suffix: '-phone', theme: 'light', ...PHONE },
  { suffix: '-dark-phone', theme: 'dark', ...PHONE },
]

/** Names of the files in `docs/screenshots/`, in order. */
export const SCREENSHOTS: readonly string[] = DEMO_PAGES.flatMap(({ name }) =>
  LOOKS.map(({ suffix }) => `${name}${suffix}.png`),
)
