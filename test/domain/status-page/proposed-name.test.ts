import { expect, test } from 'bun:test'
import { proposedName } from '../../../src/domain/status-page/proposed-name.ts'

test.each([
  ['Nightly backup', 'Nightly backup'],
  ['nightly-backup', 'Nightly backup'],
  ['stock_levels', 'Stock levels'],
  ['Nightly backup on db01.prod.internal', 'Nightly backup'],
  ['Backup of web-03', 'Backup of web'],
  ['Nightly backup @ 10.0.0.5', 'Nightly backup'],
  ['Backup /srv/private/customers', 'Backup'],
  ['Orders (postgres, db-2)', 'Orders'],
  ['[prod] Order export', 'Order export'],
  ['postgres backup', 'Backup'],
  ['pg_dump prod', ''],
  ['backup.sh', 'Backup'],
  ['https://overdue.example.org/x invoices', 'Invoices'],
  ['ops@example.org report', 'Report'],
  ['Report TOKEN=abc', 'Report'],
  ['Report 3f2b9c1d-6f7e-4a51-9a55-1c2d3e4f5a6b', 'Report'],
  ['Report 3f2b9c1d-face-4a51-beef-1c2d3e4f5a6b', 'Report'],
  ['nightly-db01-backup', 'Nightly backup'],
  ['Report 2026-11-27', 'Report'],
  ['Report a8Hq29xLk2', 'Report'],
  ['Step 2: import', 'Step 2 import'],
  ['Kundenrechnungen für März', 'Kundenrechnungen für März'],
  ['<b>Invoices</b>', 'Invoices'],
  ['', ''],
  ['10.0.0.5', ''],
])('of %j everybody is proposed %j', (ownName, name) => {
  expect(proposedName(ownName)).toBe(name)
})

test('a long hostile name takes no time, and the result fits its field', () => {
  for (const ownName of ['('.repeat(100_000), '-'.repeat(100_000), `${'a '.repeat(100_000)}`, '\ud800'.repeat(300)]) {
    expect(proposedName(ownName).length).toBeLessThanOrEqual(100)
  }
})
