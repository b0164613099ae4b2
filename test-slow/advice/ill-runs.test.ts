/** The doctor finds problems in the runs of made-up jobs, and checks that alert nobody. */
import { WRONG_RUNS } from '../../test/support/jobs/ill/runs.ts'
import { UNHEARD } from '../../test/support/jobs/ill/unheard.ts'
import { testFound } from './support/found.ts'

testFound([...WRONG_RUNS, ...UNHEARD])
