/** Test requests for the forms about a check. */
import type { Fixtures } from '../../fixture.ts'

/** Field values for all forms. Each form ignores the fields that it doesn't have. */
const FORM = {
  kind: 'simple',
  period: '1',
  'period-unit': 'days',
  grace: '1',
  'grace-unit': 'hours',
  name: 'Backup {n}',
}

const CRONTAB = {
  crontab: '0 2 * * * /opt/backup/db.sh\n*/5 * * * * /opt/shop/feed-{n}.sh',
  tz: 'Europe/Riga',
  grace: '1',
  'grace-unit': 'hours',
  'to-{channel}': 'on',
  action: 'create',
}

export const checkFormsFixtures: Fixtures = {
  'GET /p/:project/checks/new': { for: 'write' },
  'POST /p/:project/checks/new': { for: 'write', form: FORM },
  'POST /p/:project/checks/new/preview': {
    for: 'write',
    status: 200,
    form: { kind: 'simple', period: '1', 'period-unit': 'days' },
  },
  'GET /p/:project/checks/new/crontab': { for: 'write' },
  'POST /p/:project/checks/new/crontab': { for: 'write', form: CRONTAB },
  'POST /p/:project/checks/new/crontab/preview': { for: 'write', status: 200, form: CRONTAB },
  'GET /p/:project/checks/:check/edit': { for: 'write', at: '/p/{project}/checks/{new-check}/edit' },
  'POST /p/:project/checks/:check/edit': { for: 'write', at: '/p/{project}/checks/{new-check}/edit', form: FORM },
  'POST /p/:project/checks/:check/edit/schedule/preview': {
    for: 'write',
    status: 200,
    form: { kind: 'cron', cron: '0 2 * * *', tz: 'Europe/Riga', grace: '1', 'grace-unit': 'hours' },
  },
  'POST /p/:project/checks/:check/edit/rules/preview': {
    for: 'write',
    status: 200,
    form: { failure_kw: 'ERROR', text: 'ERROR' },
  },
  'POST /p/:project/checks/:check/edit/alerts/preview': { for: 'write', status: 200 },
  'GET /p/:project/checks/:check/schedule': { for: 'write', status: 303 },
  'GET /p/:project/checks/:check/rules': { for: 'write', status: 303 },
  'GET /p/:project/checks/:check/copy': { for: 'write', at: '/p/{project}/checks/{new-check}/copy' },
  'POST /p/:project/checks/:check/copy': { for: 'write', at: '/p/{project}/checks/{new-check}/copy', form: FORM },
  'GET /p/:project/checks/:check/transfer': { for: 'write', at: '/p/{project}/checks/{new-check}/transfer' },
  // The form does not specify a project.
  'POST /p/:project/checks/:check/transfer': {
    for: 'write',
    status: 422,
    at: '/p/{project}/checks/{new-check}/transfer',
    form: FORM,
  },
  'GET /p/:project/checks/:check/clear': { for: 'write', at: '/p/{project}/checks/{new-check}/clear' },
  'POST /p/:project/checks/:check/clear': { for: 'write', at: '/p/{project}/checks/{new-check}/clear', form: FORM },
  'GET /p/:project/checks/:check/delete': { for: 'write', at: '/p/{project}/checks/{new-check}/delete' },
  'POST /p/:project/checks/:check/delete': { for: 'write', at: '/p/{project}/checks/{new-check}/delete', form: FORM },
}
