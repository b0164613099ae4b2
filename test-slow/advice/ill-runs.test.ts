/** The doctor finds what is wrong with the runs of made-up jobs, and where nobody would hear of them. */
import { WRONG_RUNS } from '../../test/support/jobs/ill/runs.ts'
import { UNHEARD } from '../../test/support/jobs/ill/unheard.ts'
import { testFound } from './support/found.ts'

testFound([...WRONG_RUNS, ...UNHEARD])
