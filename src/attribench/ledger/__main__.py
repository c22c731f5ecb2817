"""``python -m attribench.ledger`` is the command ``attribench ledger``."""

import sys

from attribench.ledger.command import main

sys.exit(main())
