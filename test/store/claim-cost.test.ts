/** A claim costs what it takes, not what waits: how the engine goes about the statements of one. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import schema from '../../schema.sql' with { type: 'text' }
import { CLAIM, FEW_DUE_CHANNELS, MANY_DUE_CHANNELS } from '../../src/store/deliveries.ts'

/** The steps that touch deliveries, and those that sort. */
function steps(statement: string): string[] {
  using database = new Database(':memory:')
  database.run(schema)
  const values = Array.from({ length: new Set(statement.match(/\$\d/g)).size }, () => 1)
  return database
    .query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${statement.replace(/\$(\d)/g, '?$1')}`)
    .all(...values)
    .map(({ detail }) => detail)
    .filter((detail) => /deliveries|B-TREE/.test(detail))
}

test('a few due deliveries are read in the order of their time, as many as are asked for', () => {
  expect(steps(FEW_DUE_CHANNELS)).toEqual([
    'SEARCH deliveries USING INDEX deliveries_due (next_attempt_at<?)',
    'USE TEMP B-TREE FOR GROUP BY',
    'USE TEMP B-TREE FOR ORDER BY',
  ])
})

test('of many due deliveries the queues are read by seeks, each from its beginning', () => {
  const found = steps(MANY_DUE_CHANNELS)
  const seeks = found.filter((step) =>
    /^SEARCH deliveries (EXISTS )?USING COVERING INDEX deliveries_queued( |$)/.test(step),
  )
  expect(found.filter((step) => !seeks.includes(step))).toEqual(['USE TEMP B-TREE FOR ORDER BY'])
  expect(seeks.filter((step) => step.includes('(channel_id>?)'))).toHaveLength(1)
  expect(seeks.filter((step) => step.includes('(channel_id=? AND next_attempt_at<?)'))).toHaveLength(2)
})

test('the longest due delivery of a channel is the first of its queue', () => {
  expect(steps(CLAIM)).toEqual([
    'SEARCH deliveries USING PRIMARY KEY (id=?)',
    'SEARCH deliveries USING COVERING INDEX deliveries_queued (channel_id=? AND next_attempt_at<?)',
  ])
})
