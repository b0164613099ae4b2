import { expect, test } from 'bun:test'
import { daysBar } from '../../../../src/http/web/parts/days-bar.ts'

test('a day without downtime is whole, one with some has two parts, and one that was down another colour', () => {
  const { text } = daysBar([null, 'up', 'partly', 'down'])
  expect(text).toContain('aria-label="4 days: 1 without downtime, 1 with some, 1 down, 1 before the first ping"')
  expect(text).toContain('stroke-dasharray="6.6 3.4"')
  expect(text).toContain('<path class="no" stroke-width="32" d="M0 16h6.6"/>')
  expect(text).toContain('<path stroke-width="32" d="M10 16h6.6"/>')
  expect(text).toContain('<path stroke-width="12" d="M20 6h6.6"/>')
  expect(text).toContain('<path class="pt" stroke-width="18" d="M20 23h6.6"/>')
  expect(text).toContain('<path class="dn" stroke-width="32" d="M30 16h6.6"/>')
})

test('days of one look that follow each other are one dashed line, which ends with the last of them', () => {
  const { text } = daysBar([null, null, 'up', 'up', 'up', 'down', 'up'])
  expect(text).toContain('<path class="no" stroke-width="32" d="M0 16h16.6"/>')
  expect(text).toContain('<path stroke-width="32" d="M20 16h26.6M60 16h6.6"/>')
})
