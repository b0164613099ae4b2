/** What is read for metrics costs what is owed and what is asked for, not what was ever sent or pinged. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import schema from '../../schema.sql' with { type: 'text' }
import { LIST_CHECKS, LIST_OF_SLUG, LIST_WITH_CHANNELS } from '../../src/store/checks.ts'
import { OUTBOX, UNTRIED_FLIPS } from '../../src/store/figures.ts'
import { LIST_RUNS } from '../../src/store/run-durations.ts'

function steps(statement: string): string[] {
  using database = new Database(':memory:')
  database.run(schema)
  const plan = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement.replace(/\$\d/g, "'v'")}`)
  return plan.all().map(({ detail }) => detail)
}

test.each([
  ['the outbox', OUTBOX],
  ['flips that are untried', UNTRIED_FLIPS],
])('%s is read from the index of what is pending', (_, statement) => {
  expect(steps(statement).filter((step) => step.includes('deliveries'))).toEqual([
    'SCAN deliveries USING INDEX deliveries_due',
  ])
})

test('the checks of a project and their runs are found by seeks, and nothing is sorted', () => {
  expect(steps(LIST_CHECKS)).toEqual([
    'SEARCH checks USING INDEX checks_of_project (project_id=? AND created_at>?)',
    'SEARCH counters USING INTEGER PRIMARY KEY (rowid=?)',
  ])
  expect(steps(LIST_RUNS).map((step) => step.replace(/INDEX \w+/, 'INDEX'))).toEqual([
    'SEARCH checks USING INDEX (project_id=? AND created_at>? AND created_at<?)',
    'SEARCH run_durations USING PRIMARY KEY (check_id=?)',
  ])
})

test('the channels of the checks in a list are found by seeks, for no other check', () => {
  expect(steps(LIST_WITH_CHANNELS)).toEqual([
    'SEARCH checks USING INDEX checks_of_project (project_id=? AND created_at>?)',
    'SEARCH counters USING INTEGER PRIMARY KEY (rowid=?)',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH check_channels USING PRIMARY KEY (check_id=?)',
  ])
})

test('the checks of one slug are found by its index, and no other check is looked at', () => {
  expect(steps(LIST_OF_SLUG)).toContain('SEARCH checks USING INDEX checks_by_slug (project_id=? AND slug=?)')
})
