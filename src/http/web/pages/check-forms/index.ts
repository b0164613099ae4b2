/** The forms for creating, editing, moving and deleting a check. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import crontab from './crontab/crontab.css' with { type: 'text' }
import edit from './edit/edit.css' with { type: 'text' }
import { checkFormsFixtures } from './fixtures.ts'
import { checkFormsRoutes } from './routes.ts'
import rules from './rules/rules.css' with { type: 'text' }
import schedule from './schedule/schedule.css' with { type: 'text' }

export const page = {
  routes: checkFormsRoutes,
  under: checksMenu,
  help: 'pages#the-strip-of-runs',
  lastStyles: [edit, rules, schedule, crontab],
  fixtures: checkFormsFixtures,
} satisfies Page
