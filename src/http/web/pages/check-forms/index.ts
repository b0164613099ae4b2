/** The forms about a check. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import edit from './edit/edit.css' with { type: 'text' }
import { checkFormsFixtures } from './fixtures.ts'
import { checkFormsRoutes } from './routes.ts'
import rules from './rules/rules.css' with { type: 'text' }
import schedule from './schedule/schedule.css' with { type: 'text' }

export const page = {
  routes: checkFormsRoutes,
  under: checksMenu,
  help: 'pages#the-strip-of-runs',
  lastStyles: [edit, rules, schedule],
  fixtures: checkFormsFixtures,
} satisfies Page
