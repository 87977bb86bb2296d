import { render } from 'preact';
import { App } from './app.tsx';
import { followService } from './state/served.ts';

followService();
render(<App />, document.body);
