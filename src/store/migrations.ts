/**
 * The steps of the data model, forward only. A new database is created from the schema of its engine, so a test for each step
 * compares the two results. The engine decides how to run a step.
 */

import {
  CLEARED_CHECKS,
  NEW_COLUMNS_OF_7,
  SEARCH,
  SEVERAL_INSTANCES,
  STAGED_PROJECTS,
  TO_2,
  TO_3,
  TO_4,
  TO_5,
  TO_6,
} from './migration-steps.ts'
import { SET_UP_IN_BROWSER } from './migration-steps-10.ts'
import { ANSWERS_BY_AGE, IMPORTS, PEOPLE } from './migration-steps-11.ts'
import { PROJECT_SLUGS, PUBLIC_IDS, type Refill, RUNS } from './refills.ts'

/** Turns the previous version into version `to`, in one transaction. */
export interface Migration {
  readonly to: number
  readonly steps: readonly Step[]
  /**
   * The oldest version whose program can go on using a PostgreSQL after this, while servers are upgraded one by one. Omitted if
   * nothing ends for those before. A file of SQLite is used by its newest program only.
   */
  readonly oldestProgram?: number
}

type Step = SharedStep | Readonly<Record<Engine, SharedStep>>
export type SharedStep = string | Refill
type Engine = 'sqlite' | 'postgres'

/** What the engine does for a step. */
export function stepOf(step: Step, engine: Engine): SharedStep {
  return typeof step === 'object' && 'sqlite' in step ? step[engine] : step
}

/** In a database that is created, after its tables. */
export const ADD_SETTING = 'INSERT INTO settings (name, value) VALUES ($1, $2)'

export const SCHEMA_VERSION = 12
/** PostgreSQL begins with it. */
export const FIRST_SHARED_VERSION = 8

/** All steps since the first version, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 2, steps: [TO_2] },
  { to: 3, steps: [TO_3] },
  { to: 4, steps: [TO_4] },
  { to: 5, steps: [TO_5] },
  { to: 6, steps: ["ALTER TABLE projects ADD COLUMN slug TEXT NOT NULL DEFAULT ''", PROJECT_SLUGS, TO_6] },
  {
    to: 7,
    steps: [
      NEW_COLUMNS_OF_7,
      PUBLIC_IDS,
      'CREATE UNIQUE INDEX checks_by_public_id ON checks (public_id)',
      RUNS,
      CLEARED_CHECKS,
    ],
  },
  { to: 8, steps: [SEARCH] },
  { to: 9, steps: [SEVERAL_INSTANCES] },
  { to: 10, steps: [SET_UP_IN_BROWSER] },
  { to: 11, steps: [PEOPLE, ANSWERS_BY_AGE, IMPORTS] },
  { to: 12, steps: [STAGED_PROJECTS] },
]
