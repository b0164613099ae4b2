/** `bun run soak`: loads the real program for a given time and reports whether memory, files and answers meet the criteria. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { print } from '../../bench/support/figures.ts'
import { evaluate } from './criteria.ts'
import { asJson, asText, csvHead, csvLine, passed } from './report.ts'
import { soak } from './soak.ts'

const HELP = `bun run soak [options]
  --minutes N     duration (60)
  --pings N       number of pings, spread evenly (1000000)
  --checks N      number of checks that are pinged, more than 10 (300)
  --tolerance N   percent by which memory may grow from the second quarter to the last (5)
  --samples FILE  writes each sample to FILE as it is taken, comma-separated
  --json          prints one line of JSON instead
Only 127.0.0.1 and a temporary folder are used. The exit status is 1 when a line of the report fails.
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pings: { type: 'string', default: '1000000' },
    checks: { type: 'string', default: '300' },
    tolerance: { type: 'string', default: '5' },
    samples: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const numbers = [values.minutes, values.pings, values.checks, values.tolerance].map(Number)
const [minutes = 0, pings = 0, checks = 0, tolerance = 0] = numbers

if (values.help) {
  process.stdout.write(HELP)
} else if (numbers.some((number) => !(number > 0)) || checks <= 10) {
  process.stderr.write(HELP)
  process.exitCode = 2
} else {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const file = values.samples
  if (file !== undefined) writeFileSync(file, `${csvHead()}\n`)
  const result = await soak({
    minutes,
    pings: Math.round(pings),
    checks: Math.round(checks),
    signal: ending.signal,
    onSample: (sample) => file !== undefined && appendFileSync(file, `${csvLine(sample)}\n`),
  })
  const lines = evaluate(result, tolerance / 100)
  print(values.json ? asJson(result, lines) : asText(result, lines))
  process.exitCode = passed(lines) ? 0 : 1
}
