import { expect, test } from 'bun:test'
import { daysBar } from '../../../../src/http/web/parts/days-bar.ts'

test('a day without downtime is whole, one with some has two parts, and one that was down another colour', () => {
  const { text } = daysBar([null, 'up', 'partly', 'down'])
  expect(text).toContain('aria-label="4 days: 1 without downtime, 1 with some, 1 down, 1 before the check was created"')
  expect(text).toContain('<path class="no" d="M0 0h6.6v32h-6.6z"/>')
  expect(text).toContain('<path d="M10 0h6.6v32h-6.6zM20 0h6.6v12h-6.6z"/>')
  expect(text).toContain('<path class="pt" d="M20 14h6.6v18h-6.6z"/>')
  expect(text).toContain('<path class="dn" d="M30 0h6.6v32h-6.6z"/>')
})
