import { expect, test } from 'bun:test'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { Log } from '../../src/lib/log.ts'
import { loggingOnce } from '../../src/telemetry/exporter.ts'

/** Creates an exporter with these results, and returns its log lines. */
function run(results: readonly ExportResult[]) {
  const lines: [level: string, message: string, details: object][] = []
  const log: Log = (level, message, details = {}) => void lines.push([level, message, details])
  const left = [...results]
  const exporter = loggingOnce(
    {
      export: (_, done) => done(left.shift() ?? { code: ExportResultCode.SUCCESS }),
      shutdown: async () => {},
    },
    log,
  )
  const passedOn: ExportResult[] = []
  for (const _ of results) exporter.export([], (result) => passedOn.push(result))
  expect(passedOn).toEqual([...results])
  return lines
}

const fine = { code: ExportResultCode.SUCCESS }
const failed = (message: string) => ({ code: ExportResultCode.FAILED, error: new Error(message) })
const WARNING = 'cannot export traces; dropping them until it works again'

test('nothing is logged while exports succeed', () => {
  expect(run([fine, fine])).toEqual([])
})

test('a failure is logged once, with the first reason, and its end too', () => {
  expect(run([fine, failed('refused'), failed('refused'), failed('timed out'), fine, fine])).toEqual([
    ['warning', WARNING, { reason: 'refused' }],
    ['info', 'exporting traces works again', {}],
  ])
})

test('a second failure is logged again', () => {
  expect(run([failed('a'), fine, failed('b')]).map(([level]) => level)).toEqual(['warning', 'info', 'warning'])
})

test('a reason is cut, and is optional', () => {
  expect(run([failed('x'.repeat(10_000))])[0]?.[2]).toEqual({ reason: 'x'.repeat(200) })
  expect(run([{ code: ExportResultCode.FAILED }])[0]?.[2]).toEqual({ reason: 'no reason given' })
})
