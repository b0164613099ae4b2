/** All jobs of the company. */
import type { Job } from '../job.ts'
import { feeds } from './feeds.ts'
import { office } from './office.ts'
import { shop } from './shop.ts'
import { warehouse } from './warehouse.ts'

export const JOBS: readonly Job[] = [...shop, ...feeds, ...warehouse, ...office]
