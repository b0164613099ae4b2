import { expect, test } from 'bun:test'
import { namesCheck, setsCheck } from '../../../src/import/proposals/check-variables.ts'

test.each([
  ['HC_URL', true],
  ['HC_SLUG', true],
  ['HC_CHECK_ID', true],
  ['HC_PING_KEY', true],
  ['HC_BACKUP_UUID', true],
  ['HC_URL_BACKUP', true],
  ['BACKUP_HC_URL', true],
  ['HCIO_UUID', true],
  ['HEALTHCHECKS_ID', true],
  ['HEALTHCHECKS_IO_UUID', true],
  ['HEALTHCHECK_URL', true],
  ['HEALTH_CHECK_URL', true],
  ['OVERDUE_CHECK', true],
  ['PING_URL', true],
  ['checkUuid', true],
  ['HC_API_KEY', false],
  ['HEALTHCHECKS_SECRET_KEY', false],
  ['HCLOUD_ID', false],
  ['HC_VALID', false],
  ['CHECK_INTERVAL', false],
  ['PING_COUNT', false],
  ['SHOPPING_ID', false],
  ['SSH_KEY', false],
])('the name %p says that its value names a check: %p', (name, expected) => {
  expect(namesCheck(name)).toBe(expected)
})

test.each([
  ['HC_SLUG=nap', true],
  ['HC_SLUG=', false],
  ['[ "$HC_SLUG" == nap ]', false],
  ['CHECK_ID=5', false],
  ['CHECK_ID=$ID', true],
  ['HEALTHCHECK_URL=http://localhost/health', false],
  ['HEALTHCHECK_URL=$BASE/nap', true],
  ['PING_URL=https://example.org/nap', true],
])('the setting %p names a check: %p', (text, expected) => {
  expect(setsCheck(text)).toBe(expected)
})
