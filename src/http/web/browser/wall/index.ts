/** The script for wall displays. They don't load the script for other pages, because nobody types or clicks on a wall display. */
import '../times.ts'
import '../live/indicator.ts'
import '../live/numbers.ts'
import './clock.ts'
import './tv.ts'
import { onRefusal, onStream, reload } from '../live/stream.ts'

onStream('reload', reload)
onRefusal(reload)
