"""The scheduler-core: what AWS Batch does with a quota-managed queue, as rules R1-R21 of the specification."""
