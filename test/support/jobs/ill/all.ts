/** All kinds of jobs that do not fit their checks. */
import type { IllKind } from '../kind.ts'
import { WRONG_GRACES } from './graces.ts'
import { WRONG_RHYTHMS } from './rhythms.ts'
import { WRONG_RUNS } from './runs.ts'
import { UNHEARD } from './unheard.ts'
import { WRONG_ZONES } from './zones.ts'

export const ILL: readonly IllKind[] = [...WRONG_ZONES, ...WRONG_RHYTHMS, ...WRONG_GRACES, ...WRONG_RUNS, ...UNHEARD]
