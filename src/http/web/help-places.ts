/** Where the documents explain a page: the name of a document and a heading in it. Help in the menu leads there. */
export const HELP_PLACES = {
  wrong: 'pages',
  checks: 'pages#the-list-of-checks',
  check: 'pages#the-strip-of-runs',
  log: 'operate#how-much-a-log-holds',
  schedule: 'schedules',
  rules: 'pages#trying-rules',
  integrations: 'pages#integrations',
  integrationForm: 'pages#the-form-of-an-integration',
  deliveries: 'pages#alerts',
  badges: 'badges',
  statusPage: 'status-page',
  reports: 'channels#reports-and-reminders',
  search: 'pages#the-search-over-everything',
  movingIn: 'moving-in#on-a-page',
  projectFile: 'project-file',
  settings: 'pages#the-settings-of-a-project',
  team: 'pages#the-team-of-a-project',
  audit: 'pages#the-audit-log',
  account: 'operate#accounts',
  accounts: 'pages#accounts',
  serverSettings: 'settings',
  health: 'monitoring',
  instances: 'operate#several-instances',
} as const

export type HelpPlace = keyof typeof HELP_PLACES
