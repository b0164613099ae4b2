import { describe, expect, test } from 'bun:test'
import { Measurements } from '../../../../src/services/common/ports/measurements.ts'
import { at } from '../../../support/builders.ts'

describe('a loop', () => {
  const run = { startedAt: at('12:00:02.5'), endedAt: at('12:00:03'), hasFailed: false }
  const started = () => new Measurements().startLoop('overdue', 100, 30)

  test('is late by the time since the run was due', () => {
    const figures = started()
    figures.record({ ...run, dueAt: at('12:00:02') }, 103)
    figures.record({ ...run, dueAt: null }, 103)
    expect([figures.lagSeconds.sum, figures.lagSeconds.counts]).toEqual([0.5, [0, 0, 0, 1, 0, 0, 0, 0, 0]])
  })

  test('records when it last ran and last succeeded, and counts failures', () => {
    const figures = started()
    const kept = () => [figures.lastRunAt && String(figures.lastRunAt), figures.lastRun, figures.lastSuccess]
    expect([...kept(), figures.failures]).toEqual([null, null, null, 0])
    figures.record({ ...run, dueAt: null }, 103)
    expect([...kept(), figures.failures]).toEqual([String(at('12:00:03')), 103, 103, 0])
    figures.record({ ...run, dueAt: null, endedAt: at('12:00:09'), hasFailed: true }, 109)
    expect([...kept(), figures.failures]).toEqual([String(at('12:00:09')), 109, 103, 1])
  })
})

test('attempts are counted by kind and result', () => {
  const measurements = new Measurements()
  measurements.countAttempt('slack', 'retried', 100)
  measurements.countAttempt('slack', 'sent', 101)
  measurements.countAttempt('email', 'failed', 102)
  expect(Object.fromEntries(measurements.attempts)).toEqual({
    slack: { sent: 1, failed: 0, retried: 1 },
    email: { sent: 0, failed: 1, retried: 0 },
  })
  expect(measurements.lastAttempt).toBe(102)
})
