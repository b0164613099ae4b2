import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Family, formatFamilies, type Sample } from '../../../src/domain/metrics/exposition.ts'
import { Histogram } from '../../../src/lib/figures/histogram.ts'
import { readExposition } from '../support/exposition-reader.ts'

const gauge = (samples: readonly Sample[], help = 'Help.'): Family => ({
  name: 'a_metric',
  help,
  type: 'gauge',
  samples,
})

test('a family has its help, its type and a line for each sample', () => {
  const families = [
    gauge([{ value: 1.5 }]),
    { name: 'b_total', help: 'More.', type: 'counter', samples: [{ labels: { x: 'y', z: '' }, value: 2 }] },
  ] as const
  expect(formatFamilies(families)).toBe(
    [
      '# HELP a_metric Help.',
      '# TYPE a_metric gauge',
      'a_metric 1.5',
      '# HELP b_total More.',
      '# TYPE b_total counter',
      'b_total{x="y",z=""} 2',
      '',
    ].join('\n'),
  )
})

test('no families give an empty text', () => {
  expect(formatFamilies([])).toBe('')
})

test('a line break or a backslash in a help text stays in its line', () => {
  expect(formatFamilies([gauge([], 'a\\b\nc "d"')])).toStartWith('# HELP a_metric a\\\\b\\nc "d"\n# TYPE')
})

describe('labels', () => {
  test('are escaped so that they stay in their quotes and line', () => {
    expect(formatFamilies([gauge([{ labels: { n: '\\"\n"} 1' }, value: 0 }])])).toEndWith('{n="\\\\\\"\\n\\"} 1"} 0\n')
  })

  test('of any value are read back as they were', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', '}', ',', '\r', '\u2028', '😀', ' ') }),
    )
    fc.assert(
      fc.property(fc.array(fc.record({ name: value, tags: value }), { maxLength: 5 }), (all) => {
        const text = formatFamilies([gauge(all.map((labels, index) => ({ labels, value: index })))])
        expect(readExposition(text).map(({ labels }) => labels)).toEqual(all)
      }),
    )
  })
})

describe('numbers', () => {
  test.each([
    [0, '0'],
    [-0.25, '-0.25'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [1_772_625_600.000_001, '1772625600.000001'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('%d is %s', (value, text) => {
    expect(readExposition(formatFamilies([gauge([{ value }])]))).toEqual([
      { name: 'a_metric', labels: {}, value: text },
    ])
  })
})

describe('a histogram', () => {
  const filled = new Histogram([0.5, 2])
  for (const value of [0.5, 1, 1.5, 7]) filled.observe(value)
  const family = (labels?: Record<string, string>): Family => ({
    name: 'h_seconds',
    help: 'H.',
    type: 'histogram',
    samples: [labels ? { labels, value: filled } : { value: filled }],
  })

  test('has cumulative buckets, the sum and the count', () => {
    expect(formatFamilies([family()])).toBe(
      [
        '# HELP h_seconds H.',
        '# TYPE h_seconds histogram',
        'h_seconds_bucket{le="0.5"} 1',
        'h_seconds_bucket{le="2"} 3',
        'h_seconds_bucket{le="+Inf"} 4',
        'h_seconds_sum 10',
        'h_seconds_count 4',
        '',
      ].join('\n'),
    )
  })

  test('has its labels on every line', () => {
    const labels = { loop: 'a"b' }
    const read = readExposition(formatFamilies([family(labels)]))
    expect(read.map((sample) => sample.labels.loop)).toEqual(Array(5).fill('a"b'))
    expect(read.map((sample) => sample.labels.le)).toEqual(['0.5', '2', '+Inf', undefined, undefined])
  })
})
