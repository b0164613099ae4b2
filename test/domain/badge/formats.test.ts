import { expect, test } from 'bun:test'
import { renderBadge } from '../../../src/domain/badge/formats.ts'
import { badgeSvg } from '../../../src/domain/badge/svg.ts'

const LATE = { label: 'a "b" <c>', counts: { total: 3, grace: 1, down: 0 } }
const DOWN = { label: 'd', counts: { total: 3, grace: 1, down: 2 } }

test('JSON has the status and the counts; with two states the status never is late, but the counts stay', () => {
  expect(renderBadge(LATE, 3, 'json')).toEqual({
    type: 'application/json',
    body: '{"status":"late","total":3,"grace":1,"down":0}',
  })
  expect(renderBadge(LATE, 2, 'json').body).toBe('{"status":"up","total":3,"grace":1,"down":0}')
  expect(renderBadge(DOWN, 2, 'json').body).toBe('{"status":"down","total":3,"grace":1,"down":2}')
})

test('Shields gets the raw label, the status and a colour name', () => {
  const up = { label: 'u', counts: { total: 0, grace: 0, down: 0 } }
  const answers = [LATE, DOWN, up].map((badge) => renderBadge(badge, 3, 'shields'))
  expect(answers.map((answer) => JSON.parse(answer.body))).toEqual([
    { schemaVersion: 1, label: 'a "b" <c>', message: 'late', color: 'important' },
    { schemaVersion: 1, label: 'd', message: 'down', color: 'critical' },
    { schemaVersion: 1, label: 'u', message: 'up', color: 'success' },
  ])
  expect(answers[0]?.type).toBe('application/json')
  expect(JSON.parse(renderBadge(LATE, 2, 'shields').body)).toMatchObject({ message: 'up', color: 'success' })
})

test('SVG is an image of label and status', () => {
  expect(renderBadge(LATE, 3, 'svg')).toEqual({ type: 'image/svg+xml', body: badgeSvg('a "b" <c>', 'late') })
  expect(renderBadge(LATE, 2, 'svg').body).toBe(badgeSvg('a "b" <c>', 'up'))
})
