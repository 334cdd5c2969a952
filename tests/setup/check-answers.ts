import { inject } from 'vitest';
import { watchAnswers } from '@/tests/app/api';
import { documentedAnswers } from '@/tests/openapi/expect-documented';

// Every answer that a test gets is held against what the product's own document says of it.
watchAnswers(documentedAnswers(inject('openApi')));
