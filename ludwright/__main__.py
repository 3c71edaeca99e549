"""`python -m ludwright`: the command line."""

from ludwright.cli.main import main

if __name__ == "__main__":
    main()
