/** How SQLite goes about it: anybody may ask for a badge at any time, so nothing is searched through. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import schema from '../../schema.sql' with { type: 'text' }
import { FIND_BADGE_CHECK, LIST_BADGE_CHECKS } from '../../src/store/badges.ts'

const COUNTERS = /^SEARCH counters USING INTEGER PRIMARY KEY/

test.each([
  [
    'project',
    LIST_BADGE_CHECKS,
    [
      /^SEARCH projects USING INDEX \w+ \(badge_key=\?\)/,
      /^SEARCH checks .*\(project_id=\? AND created_at>\?\)/,
      COUNTERS,
    ],
  ],
  ['check', FIND_BADGE_CHECK, [/^SEARCH checks USING INDEX checks_by_badge_key \(badge_key=\?\)/, COUNTERS]],
])('the badge of a %s is found by indexes alone', (_, statement, steps) => {
  using database = new Database(':memory:')
  database.run(schema)
  const plan = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement.replace(/\$\d/g, "'k'")}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual(steps.map((step) => expect.stringMatching(step)))
})
